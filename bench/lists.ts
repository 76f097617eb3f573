/**
 * Measures the lists of a member with 100, 10,000, 100,000 and, when asked, 1,000,000 people: favourites, the history of calls, and
 * the list of guys. The rows of the two readers grow with the people: Anna keeps, talked with and was called in vain by
 * every guy, Carl keeps and talked with every girl, and all guys are online.
 *
 * Takes `--people=100,10000,100000`: the numbers of people, each larger than the one before.
 */
import { onlineGuys } from '@duet/server/modules/boys/online-guys.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { addPerson } from '@duet/testkit/people.ts'
import { openTestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { measureGrowth, readPlace, type Work } from './figures/growth-of-lists.ts'

/** Ids of the people, in pairs: a guy has an even number, a girl the number after his. */
const FIRST_ID = 1_000_000_000
/** Of ten guys, this number has Premium. */
const PREMIUM_SHARE = 1
const FAR_PAGES = 40

const testApp = await openTestApp()
try {
  const carl = await addPerson(testApp, 'carl')
  const anna = await addPerson(testApp, 'anna')
  const { session_id } = await inCall(testApp, { guy: carl, girl: anna })
  await carl.act('BREAK_SESSION', { session_id })
  await measureGrowth({
    testApp,
    rows: 'people',
    fill: (from, to) => fill({ carl, anna }, from, to),
    createRequests: () => createRequests({ carl, anna }),
  })
} finally {
  await testApp.close()
}

type Readers = Readonly<Record<'carl' | 'anna', TestUser>>

async function createRequests({ carl, anna }: Readers): Promise<Record<string, Work>> {
  const farKept = await readPlace(anna, 'favourites_pagination', {}, FAR_PAGES)
  const far = await readPlace(anna, 'history_chats', {}, FAR_PAGES)
  return {
    'her favourites': () => anna.get('favourites_pagination'),
    'his favourites': () => carl.get('favourites_pagination'),
    'a far page of her favourites': () => anna.get('favourites_pagination', { after: farKept }),
    'a page of her favourites beyond the numbers': () =>
      anna.get('favourites_pagination', { page: 1_000_000 }),
    'her history': () => anna.get('history_chats'),
    'his history': () => carl.get('history_chats'),
    'a far page of her history': () => anna.get('history_chats', { after: far }),
    'the list of guys': () => anna.get('boys'),
    'the guys who are online': () => anna.get('boys', { filter: 'online' }),
    'the guys she talked with': () => anna.get('boys', { filter: 'talked' }),
    'the fifth page of guys': () => anna.get('boys', { page: 5 }),
  }
}

/** People are copies of the two readers, and calls of their call. The other people keep and called each other in pairs. */
async function fill({ carl, anna }: Readers, from: number, to: number): Promise<void> {
  const now = `timestamptz '${testApp.clock.now().toString()}'`
  const pairs = `generate_series(${from / 2 + 1}, ${to / 2}) n`
  const [guy, girl] = [`${FIRST_ID} + n * 2`, `${FIRST_ID} + n * 2 + 1`]
  const at = `${now} - interval '10 days' + n * interval '1 s'`
  const member = (copied: TestUser, id: string) => `
    insert into users select copy.* from users copied, ${pairs}, jsonb_populate_record(copied, jsonb_build_object(
      'id', ${id}, 'nick', 'N' || ${id}, 'email', (${id}) || '@bench.example', 'ref_code', 'B' || ${id},
      'premium_until', case when n % 10 < ${PREMIUM_SHARE} then ${now} + interval '1 year' end)) copy
    where copied.id = ${copied.id}`
  const favourite = (owner: string | number, kept: string | number) =>
    `insert into favourites (owner_id, user_id, at) select ${owner}, ${kept}, ${at} from ${pairs}`
  const call = (place: number, guyId: string | number, girlId: string | number) => `
    insert into video_sessions select copy.* from video_sessions copied, ${pairs},
      jsonb_populate_record(copied, jsonb_build_object('session_id', ${FIRST_ID} + n * 3 + ${place}, 'session_guid', gen_random_uuid(),
        'guy_id', ${guyId}, 'girl_id', ${girlId}, 'opened_at', ${at}, 'connected_at', ${at}, 'closed_at', ${at})) copy
    where copied.session_id < ${FIRST_ID}`
  await runAsOwner(
    testApp.database,
    'set session_replication_role = replica',
    member(carl, guy),
    member(anna, girl),
    favourite(anna.id, guy),
    favourite(carl.id, girl),
    favourite(guy, girl),
    favourite(girl, guy),
    `update users set favourites_count = ${to / 2} where id in (${anna.id}, ${carl.id})`,
    call(0, guy, anna.id),
    call(1, carl.id, girl),
    call(2, guy, girl),
    // The caller went at once, so she does not learn of the ring.
    `insert into invitations (pair_id, guy_id, girl_id, caller, state, reason, missed, free_seconds, opened_at, closed_at)
     select gen_random_uuid(), ${guy}, ${anna.id}, 'guy', 'closed', 'cancelled', true, 0, ${at}, ${at} from ${pairs}`,
    `insert into talks select ${guy}, ${anna.id}, ${at}, case when n % 10 < ${PREMIUM_SHARE} then ${now} + interval '1 year' end from ${pairs}`,
    'vacuum analyze users, favourites, video_sessions, invitations, talks',
  )
  const { premium, others } = onlineGuys(testApp.app)
  for (let n = from / 2 + 1; n <= to / 2; n += 1)
    (n % 10 < PREMIUM_SHARE ? premium : others).add(FIRST_ID + n * 2)
}
