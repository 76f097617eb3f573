import { deepEqual, ok } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { addPerson } from '@duet/testkit/people.ts'
import type { ReceivedGift } from '@duet/protocol/contracts/gifts.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { openTestApp, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const STEPS = process.env.PROOF === 'long' ? 2_000 : 16

type Read = (viewer: TestUser) => Promise<number[]>

/** Each list from which users are chosen, as ids. A new list is a line here. */
const OFFERED: Readonly<Record<string, Read>> = {
  'the girls who are online': (viewer) => ids(viewer, 'girls'),
  'the girls who are offline': (viewer) => ids(viewer, 'girls', { offline: 1 }),
  'a search by name': (viewer) => ids(viewer, 'girls', { query: 'a' }),
  'the newest girls': (viewer) => ids(viewer, 'girls', { sort: 'new' }),
  'a shared copy': (viewer) => ids(viewer, 'girls', { force_cache: 1 }),
  'some girls who are online': (viewer) => ids(viewer, 'girls/online'),
  'the recommended girls': (viewer) => ids(viewer, 'recommendations'),
}
/** Each list of users that a member knows: they stay when their picture is removed. A new list is a line here. */
const KNOWN: Readonly<Record<string, Read>> = {
  'the favourites': (member) => ids(member, 'favourites_pagination'),
  'the past calls': (member) => idsOfOthers(member, 'history_chats'),
  'the given gifts': (member) => idsOfOthers(member, 'girl_gifts'),
}
/** Each list of guys that a girl chooses from, as ids. A new list is a line here. */
const OFFERED_TO_GIRLS: Readonly<Record<string, Read>> = {
  'the boys': (girl) => ids(girl, 'boys'),
  'the boys who are online': (girl) => ids(girl, 'boys', { filter: 'online' }),
  'the premium boys': (girl) => ids(girl, 'boys', { filter: 'premium' }),
  'the boys she talked with': (girl) => ids(girl, 'boys', { filter: 'talked' }),
}
/** Each list of guys that a girl has met: her own hiding from a country does not take them away. A new list is a line here. */
const KNOWN_TO_GIRLS: Readonly<Record<string, Read>> = {
  'her past calls': (girl) => idsOfOthers(girl, 'history_chats'),
  'her gifts': async (girl) =>
    ((await girl.get('girl_gifts')).items as ReceivedGift[])
      .filter(({ nick }) => nick !== '')
      .map(({ user_id }) => user_id),
}
/** These two lists together have every girl that the viewer may see. */
const WHOLE = ['the girls who are online', 'the girls who are offline'] as const

async function ids(
  viewer: TestUser,
  path: string,
  query: Record<string, string | number> = {},
): Promise<number[]> {
  const { items } = (await viewer.get(path, query)) as { items: { id: number }[] }
  return items.map(({ id }) => id)
}

/** The other users of the items. A user who is hidden is null there. */
async function idsOfOthers(
  viewer: TestUser,
  path: 'history_chats' | 'girl_gifts',
): Promise<number[]> {
  const { items } = (await viewer.get(path)) as {
    items: { user_interlocutor: { id: number } | null }[]
  }
  return items.flatMap(({ user_interlocutor }) => user_interlocutor?.id ?? [])
}

const COUNTRIES = { boris: 'DE', carl: 'FR', david: undefined } as const
type Guy = keyof typeof COUNTRIES

/** A girl, with the effects of the history on her. */
interface Girl {
  readonly user: TestUser
  readonly blocked: Set<TestUser>
  hides: readonly string[]
  is_verified: boolean
  has_avatar: boolean
  is_banned: boolean
  is_deleted: boolean
}

class History {
  readonly testApp: TestApp
  readonly viewers: readonly TestUser[]
  readonly girls: Girl[] = []

  constructor(testApp: TestApp, viewers: readonly TestUser[]) {
    this.testApp = testApp
    this.viewers = viewers
  }

  async addGirl(): Promise<void> {
    const user = await addPerson(this.testApp, 'anna', `${randomUUID()}@duet.example`)
    const shown = { is_verified: true, has_avatar: true, is_banned: false, is_deleted: false }
    this.girls.push({ user, blocked: new Set(), hides: [], ...shown })
  }

  /** Whether this viewer may see the girl in a list from which users are chosen. */
  maySee(viewer: TestUser, girl: Girl): boolean {
    return girl.is_verified && girl.has_avatar && this.mayKnow(viewer, girl)
  }

  /** Whether this viewer may see her where he has met her. */
  mayKnow(viewer: TestUser, girl: Girl): boolean {
    if (girl.is_banned || girl.is_deleted || girl.blocked.has(viewer)) return false
    const country = COUNTRIES[viewer.name as Guy]
    return girl.hides.length === 0 || (country !== undefined && !girl.hides.includes(country))
  }
}

type Act = (history: History, girl: Girl, guy: TestUser) => Promise<unknown>

const isOpen = ({ is_banned, is_deleted }: Girl) => !is_banned && !is_deleted

async function comeBack({ user }: Girl): Promise<void> {
  if (!user.wire?.socket.connected) await user.auth()
}

/** The acts of a history. An act that is impossible now does nothing. */
const ACTS: Readonly<Record<string, Act>> = {
  async block(_, girl, guy) {
    if (!isOpen(girl)) return
    await comeBack(girl)
    await girl.user.act('BLOCK_USER', { user_id: guy.id })
    girl.blocked.add(guy)
  },
  async 'is blocked'(_, girl, guy) {
    if (girl.is_deleted) return
    await guy.act('BLOCK_USER', { user_id: girl.user.id })
    girl.blocked.add(guy)
  },
  async unblock(_, girl) {
    if (!isOpen(girl)) return
    await comeBack(girl)
    for (const guy of girl.blocked) {
      await girl.user.act('UNBLOCK_USER', { user_id: guy.id })
      await guy.act('UNBLOCK_USER', { user_id: girl.user.id })
      girl.blocked.delete(guy)
    }
  },
  async hide(_, girl) {
    if (!isOpen(girl)) return
    await comeBack(girl)
    girl.hides = girl.hides.length === 0 ? ['DE'] : girl.hides.includes('FR') ? [] : ['DE', 'FR']
    await girl.user.act('UPDATE_PROFILE', { hide_countries: [...girl.hides] })
  },
  async ban({ testApp }, girl) {
    if (girl.is_deleted) return
    const line = girl.is_banned
      ? ['unban', girl.user.id, '--comment', 'law']
      : ['ban', girl.user.id, '--reason', 'foreign_account', '--comment', 'law']
    await testApp.duet(...line)
    girl.is_banned = !girl.is_banned
  },
  async verify({ testApp }, girl) {
    if (!isOpen(girl)) return
    await testApp.duet('verify', girl.user.id, ...(girl.is_verified ? ['--decline', 'other'] : []))
    girl.is_verified = !girl.is_verified
  },
  async 'lose her picture'(history, girl) {
    if (!isOpen(girl) || !girl.has_avatar) return
    await girl.user.post('avatar/delete')
    girl.has_avatar = false
    await history.addGirl()
  },
  async leave({ testApp }, girl) {
    if (!isOpen(girl)) return
    if (girl.user.wire?.socket.connected) {
      girl.user.wire.socket.disconnect()
      await testApp.untilGone(girl.user.id)
    } else await girl.user.auth()
  },
  async 'delete her account'(history, girl) {
    if (!isOpen(girl)) return
    await girl.user.post('delete_account', { password: 'anna-secret-1', confirm: true })
    girl.is_deleted = true
    await history.addGirl()
  },
  async favour(history, girl, guy) {
    if (history.maySee(guy, girl)) await guy.act('ADD_FAVOURITE', { user_id: girl.user.id })
  },
  async like(history, girl, guy) {
    if (history.maySee(guy, girl))
      await guy.act('LIKING_REACTION', { user_id: girl.user.id, like: true })
  },
  async call(history, girl, guy) {
    if (!history.maySee(guy, girl)) return
    await comeBack(girl)
    for (const one of [guy, girl.user]) one.forget()
    const { session_id } = await inCall(history.testApp, { guy, girl: girl.user })
    await guy.act('BREAK_SESSION', { session_id })
    await girl.user.heard('close_session')
    // After a call both look on. An offer would change who is online here.
    for (const one of [guy, girl.user]) await one.act('OUT_FROM_SEARCH', {})
    // Otherwise this socket keeps her online when she leaves.
    girl.user.signaling?.close()
    girl.user.signaling = undefined
  },
  async give(history, girl, guy) {
    if (history.maySee(guy, girl))
      await guy.act('GIVE_GIFT', {
        gift_id: 1,
        recipient_id: girl.user.id,
        random_id: randomUUID(),
      })
  },
}

const isMember = ({ name }: TestUser) => name in COUNTRIES

/** The girls that a list shows although the viewer may not see them, and the girls that the whole catalogue does not show. */
async function findWrong(history: History): Promise<object[]> {
  const found: object[] = []
  for (const viewer of history.viewers) {
    const whole = new Set<number>()
    for (const [name, read] of Object.entries({ ...OFFERED, ...(isMember(viewer) && KNOWN) })) {
      const shown = new Set(await read(viewer))
      if ((WHOLE as readonly string[]).includes(name)) for (const id of shown) whole.add(id)
      for (const girl of history.girls) {
        const allowed = name in KNOWN ? history.mayKnow(viewer, girl) : history.maySee(viewer, girl)
        if (shown.has(girl.user.id) && !allowed)
          found.push({ viewer: viewer.name, list: name, girl: girl.user.id })
      }
    }
    for (const girl of history.girls) {
      if (history.maySee(viewer, girl) && !whole.has(girl.user.id))
        found.push({ viewer: viewer.name, absent: girl.user.id })
      const statuses = viewer.all('update_status_girl').map(({ payload }) => payload)
      const last = statuses.findLast((status) => status.user_id === girl.user.id)
      if (last && last.status !== 'offline' && !history.maySee(viewer, girl))
        found.push({ viewer: viewer.name, event: last })
    }
  }
  for (const girl of history.girls) found.push(...(await findWrongGuys(history, girl)))
  return found
}

/** The guys that a list shows to a girl although she may not see them. */
async function findWrongGuys(history: History, girl: Girl): Promise<object[]> {
  if (!isOpen(girl)) return []
  const found: object[] = []
  const guys = history.viewers.filter(isMember)
  for (const [name, read] of Object.entries({ ...OFFERED_TO_GIRLS, ...KNOWN_TO_GIRLS })) {
    const shown = new Set(await read(girl.user))
    for (const guy of guys) {
      const allowed = name in KNOWN_TO_GIRLS ? !girl.blocked.has(guy) : history.mayKnow(guy, girl)
      if (shown.has(guy.id) && !allowed) found.push({ girl: girl.user.id, list: name, guy: guy.id })
      if (name === 'the boys' && allowed && !shown.has(guy.id))
        found.push({ girl: girl.user.id, absent: guy.id })
    }
  }
  return found
}

test('no list and no event shows a user who is hidden, blocked, banned, deleted, not verified or without a picture', async () => {
  const random = randomFrom(testSeed())
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  const testApp = await openTestApp({
    env: { TRUSTED_PROXIES: '1', COUNTRY_HEADER: 'X-Country' },
  })
  try {
    await testApp.setting('likes_a_day', '100000')
    const guys: TestUser[] = []
    for (const [name, country] of Object.entries(COUNTRIES)) {
      const guy = await addPerson(testApp, name as Guy)
      await testApp.duet('premium', guy.id, '--days', 3000)
      await testApp.duet('grant', guy.id, 100_000, 'diamond', '--reason', 'law')
      guy.proxy_headers = {
        'x-forwarded-for': '203.0.113.7',
        ...(country !== undefined && { 'x-country': country }),
      }
      await guy.drop()
      await guy.comeBack()
      guys.push(guy)
    }
    const gina = await addPerson(testApp, 'gina')
    const history = new History(testApp, [...guys, gina])
    for (const viewer of history.viewers)
      await viewer.act('SUBSCRIBTION_ROOM', { room: 'girls', on: true })
    for (let girl = 0; girl < 5; girl += 1) await history.addGirl()
    // Every history has past calls and gifts, with whichever acts it goes on.
    for (const [index, guy] of guys.entries())
      for (const name of ['call', 'give']) await ACTS[name]!(history, history.girls[index]!, guy)
    const done = new Set<string>()
    for (let step = 0; step < STEPS; step += 1) {
      const name = pick(Object.keys(ACTS))
      const open = history.girls.slice(-12)
      await ACTS[name]!(history, pick(open), pick(guys))
      done.add(name)
      // A girl who left is online for some seconds, and the limits of the lists fill again.
      await testApp.advance('8 s')
      deepEqual(await findWrong(history), [], `step ${step}: ${name}`)
      for (const viewer of history.viewers) viewer.forget()
    }
    ok(done.size >= 7, [...done].join())
  } finally {
    await testApp.close()
  }
})
