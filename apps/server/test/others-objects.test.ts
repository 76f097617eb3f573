import { deepEqual, equal, ok } from 'node:assert/strict'
import { createExample } from '@duet/protocol/reference/example.ts'
import type { RefusalName } from '@duet/protocol/kernel/refusals.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import type { People } from '@duet/testkit/people.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { WireRefused, type TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, photoBytes } from '@duet/testkit/uploads.ts'
import { type MatrixCaller, callerRefusal, isSignedIn, openCallers, pass } from './principals.ts'

/** The objects of two users, which no third user may read or change. */
interface Objects {
  readonly dialog: number
  readonly message: number
  readonly session: number
  readonly guid: string
  readonly pair: string
  readonly media: string
  /** A picture for a dialog, which no dialog shows yet. */
  readonly hidden: string
  readonly notice: number
  readonly login: number
  readonly statement: number
  readonly date: number
  readonly order: number
  /** The secret of a report that only its reporter has. */
  readonly secret: string
  readonly girl: number
}

/** A third user sends this about the objects, and is refused; `nothing`: the request succeeds and changes nothing. */
type Attempt = (objects: Objects) => readonly [sent: object, refusal: RefusalName | 'nothing']

const session: Attempt = (of) => [{ session_id: of.session }, 'not_found']
const dialog: Attempt = (of) => [{ dialogId: of.dialog }, 'not_found']
const date: Attempt = (of) => [{ id: of.date }, 'not_found']
const order: Attempt = (of) => [{ id: of.order }, 'not_found']
/** A package is on the price list of everybody, and nothing is sold in this installation. */
const purchase: Attempt = () => [
  { package_id: 1, packet: 1, method: 'verotel', place: 'billing' },
  'method_unavailable',
]
const media: Attempt = (of) => [{ id: of.media }, 'not_found']

/** Every action and endpoint whose input names an object by its id. A new one without a line here fails the test. */
const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  NEW_BALANCE_INFO_GOT: ({ notice }) => [{ id: notice }, 'nothing'],
  SEARCH_PAIR_ACCEPT: ({ pair }) => [{ pair_id: pair }, 'pair_over'],
  SEARCH_PAIR_REJECT: ({ pair }) => [{ pair_id: pair }, 'pair_over'],
  SESSION_UP: session,
  SESSION_UP_REACTION: session,
  BREAK_SESSION: session,
  TEXT_CHAT_MESSAGE: session,
  SESSION_TYPING: session,
  SOUND_ONLY: session,
  FACE_STATE: session,
  PANIC: session,
  TO_COMPLAIN: (of) => [
    { reason: 'spam', user_id: of.girl, comment: '', session_id: of.session },
    'not_found',
  ],
  GET_DIALOG: dialog,
  GET_DIALOG_MESSAGES: dialog,
  MESSAGE: dialog,
  READ_MESSAGE: ({ dialog: dialogId, message }) => [
    { dialogId, message_ids: [message] },
    'not_found',
  ],
  DELETE_DIALOG: dialog,
  CLEAN_DIALOG: dialog,
  TYPING: dialog,
  LIKING_REACTION: (of) => [{ user_id: of.girl, session_id: of.session }, 'not_found'],
  GIVE_GIFT: (of) => [
    { gift_id: 1, recipient_id: of.girl, session_id: of.session, random_id: 'other' },
    'not_found',
  ],
  'POST quality/question': session,
  'GET statements/{id}': ({ statement }) => [{ id: statement }, 'not_found'],
  'GET statements/{id}/evidence/{kind}': ({ statement }) => [
    { id: statement, kind: 'picture' },
    'not_found',
  ],
  'POST statements/{id}/read': ({ statement }) => [{ id: statement }, 'not_found'],
  'POST appeals': ({ statement }) => [{ statement_id: statement, text: 'mine' }, 'not_found'],
  'GET orders/{id}': order,
  'GET orders/{id}/receipt': order,
  'POST payment/start': purchase,
  'POST dates/{id}/accept': date,
  'POST dates/{id}/decline': date,
  'POST dates/{id}/cancel': date,
  'POST dates/{id}/start': date,
  'GET dates/{id}/calendar': date,
  'POST account/sessions/end': ({ login }) => [{ id: login }, 'not_found'],
  'POST notices/read': ({ notice }) => [{ ids: [notice] }, 'nothing'],
  'POST media/urls': (of) => [{ ids: [of.hidden] }, 'nothing'],
  'POST avatar/set': media,
  'POST gallery/media/update': media,
  'POST gallery/media/delete': media,
  'POST gallery/media/like': (of) => [{ id: of.hidden }, 'not_found'],
  // The row of a report is found by its whole secret only.
  'POST reports/state': ({ secret }) => [{ secret: changedSecret(secret) }, 'not_found'],
  'POST media_nsfw': (of) => [{ media_id: of.media }, 'not_found'],
}

/** A secret that differs in its last letter. */
const changedSecret = (secret: string) =>
  `${secret.slice(0, -1)}${secret.endsWith('A') ? 'E' : 'A'}`

/** Endpoints whose input names an object by a secret, not by an id. */
const BY_SECRET = ['POST reports/state']
/** These ids name no object of one user: users, the sender's own names, keys that the sender must know. */
const NOT_OBJECTS =
  /(^|\.)(user_ids?|interlocutor_id|check_user_id|tab_id|random_id|visitor_id|request_id|(passkey|answer)\.id)(\[\])?$/
/** These need a file, a password or a service beside the id; stories of their own try them with ids of others. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'TRANSLATE',
  'GET /media/{id}/{size}',
  'POST /upload/image/{product}',
  'POST auth/passkey/delete',
  'POST upload_passport',
])

function listIds(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => listIds(item, `${path}[]`))
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, part]) =>
      listIds(part, path === '' ? key : `${path}.${key}`),
    )
  return /(^|[._])ids?(\[\])?$|Ids?(\[\])?$/.test(path) && !NOT_OBJECTS.test(path) ? [path] : []
}

/** The names of the requests that name an object, of the modules that exist. */
function listRequests(testApp: TestApp): string[] {
  const { actions, endpoints } = testApp.running.registry
  const ofActions = [...actions].flatMap(([name, { contract, handler }]) =>
    handler && name === contract.name && listIds(createExample(contract.data)).length > 0
      ? [name]
      : [],
  )
  // Reports of quality have another credential and another form; a story of the module forges them. No user
  // is staff: the matrix of staff tries those.
  const ofEndpoints = [...endpoints].flatMap(([name, { contract, handler }]) =>
    handler &&
    contract.credential !== 'project' &&
    contract.credential !== 'staff' &&
    listIds([createExample(contract.query), contract.body && createExample(contract.body)]).length >
      0
      ? [name]
      : [],
  )
  return [...ofActions, ...ofEndpoints, ...BY_SECRET].filter((name) => !ELSEWHERE.has(name))
}

async function createObjects(
  testApp: TestApp,
  { boris, anna, david, clara, nina }: Pick<People, 'boris' | 'anna' | 'david' | 'clara' | 'nina'>,
): Promise<Objects> {
  await testApp.duet('grant', boris.id, 50, 'diamond', '--reason', 'test')
  await boris.act('ADD_FAVOURITE', { user_id: anna.id })
  const hours = { weekday: 7, from_minute: 0, until_minute: 1440 }
  await anna.post('dates/hours', { zone: 'UTC', hours: [hours], version: 0 })
  // The clock of stories begins on a Monday.
  const at = testApp.clock
    .now()
    .add({ hours: 24 * 6 })
    .toString()
  const { date } = await boris.post('dates', { user_id: anna.id, at, minutes: 15 })
  const dialogId = await dialogBetween(anna, boris)
  const { message_id } = await writeMessage(anna, dialogId, 'only for Boris')
  const upload = async (path: string) =>
    (await anna.post(path, fileForm('media', await photoBytes(600)))).media as { id: string }
  const media = await upload('gallery/media')
  const hidden = await upload('v2/gallery/media/messenger')
  const [notice] = (await anna.get('notices')).items
  const login = await testApp.app.db
    .selectFrom('logins')
    .select('id')
    .where('user_id', '=', anna.id)
    .executeTakeFirstOrThrow()
  for (const one of [david, clara]) await one.act('MATCH_AWAIT', {})
  const { pair_id } = await david.heard('search_pair')
  const { session_id, session_guid } = await inCall(testApp, { guy: boris, girl: anna })
  const { statement_id } = await testApp.duet<{ statement_id: number }>(
    ...(['ban', nina.id, '--reason', 'other', '--comment', 'test'] as const),
  )
  const made = await testApp.duet<{ codes: string[] }>(
    ...(['giftcards', 'create', '--count', '1', '--minutes', '5'] as const),
  )
  const secret = 'Ab'.padEnd(43, '0')
  const report = { secret, where: 'Anna', reason: 'impersonation', text: 'mine' } as const
  await boris.post('reports/content', { ...report, contact: 'vera@people.example' })
  const { order_id } = await boris.post('gift-card/redeem', { code: made.codes[0] })
  return {
    dialog: dialogId,
    message: message_id,
    session: session_id,
    guid: session_guid,
    pair: pair_id,
    media: media.id,
    hidden: hidden.id,
    notice: notice!.id,
    login: login.id,
    statement: statement_id,
    date: date.id,
    order: order_id,
    secret,
    girl: anna.id,
  }
}

const TABLES =
  'dialogs dialog_members messages media gallery_items notices favourites video_sessions virtual_dates orders reports statements appeals complaints client_signals pairs logins users'

/** Every row that a third user could have changed. */
async function rows({ database }: TestApp): Promise<string[]> {
  const found: string[] = []
  for (const table of TABLES.split(' ')) {
    const { rows: texts } = await database.pool.query<{ text: string }>(
      `select t::text as text from ${table} t order by 1`,
    )
    found.push(...texts.map(({ text }) => `${table} ${text}`))
  }
  return found
}

async function send(user: TestUser, name: string, sent: object): Promise<string> {
  const [method, pattern] = name.split(' ')
  const fields = sent as Record<string, unknown>
  const path = pattern?.replaceAll(/{(\w+)}/g, (_, key: string) => String(fields[key]))
  try {
    if (path === undefined) {
      const answer = await user.tryAct(name, sent)
      return 'error' in answer ? answer.error.name : 'nothing'
    }
    await (method === 'GET' ? user.get(path) : user.post(path, sent))
    return 'nothing'
  } catch (error) {
    if (error instanceof WireRefused) return error.refusal
    throw error
  }
}

story(
  'no user reads or changes an object of others by its id, on any action or endpoint',
  async ({ testApp, boris, anna, david, clara, nina, carl }) => {
    deepEqual(listRequests(testApp).toSorted(), Object.keys(ATTEMPTS).toSorted())
    const objects = await createObjects(testApp, { boris, anna, david, clara, nina })
    const { actions, endpoints } = testApp.running.registry
    const callers = await openCallers(testApp)
    const before = await rows(testApp)
    const tryAll = async (caller: MatrixCaller, beforeEach?: () => Promise<void>) => {
      const found: string[] = []
      for (const [name, attempt] of Object.entries(ATTEMPTS)) {
        const action = actions.get(name)?.contract
        // No action reads the data of a socket without a user: the matrix tries that.
        if (action && !isSignedIn(caller)) continue
        await beforeEach?.()
        const endpoint = endpoints.get(name)?.contract
        const [ids, refusal] = attempt(objects)
        const input = createExample(action?.data ?? endpoint!.body!, 'required')
        const answer = await send(caller.user, name, { ...(input as object), ...ids })
        const right = callerRefusal(caller, action ?? endpoint!) ?? refusal
        // A handler may refuse the role of the caller or a guest before it looks for the object.
        if (answer !== right && answer !== 'role_forbidden' && answer !== 'registered_only')
          found.push(`${caller.name} ${name}: ${answer}, not ${right}`)
      }
      return found
    }
    for (const caller of callers.filter(isSignedIn)) deepEqual(await tryAll(caller), [])
    deepEqual(await rows(testApp), before)
    // The others share the limit of their network, which time alone gives back.
    for (const caller of callers.filter((one) => !isSignedIn(one)))
      deepEqual(await tryAll(caller, () => pass(testApp)), [])
    const answer = await carl.post('media/urls', { ids: [objects.hidden] })
    ok(!JSON.stringify(answer).includes(objects.hidden), JSON.stringify(answer))
    // The signature of an own address opens no other file.
    const own = (await carl.post('gallery/media', fileForm('media', await photoBytes(600)))).media
    const url = String((own as { url: string }).url).replace(/[\w-]{36}/, objects.hidden)
    equal((await fetch(`${testApp.origin}${url}`)).status, 404)
  },
)
