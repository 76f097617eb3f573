import { deepEqual, equal, ok } from 'node:assert/strict'
import { createExample } from '@duet/protocol/reference/example.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { WireRefused, type TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, photoBytes } from '@duet/testkit/uploads.ts'

/** Each principal may see these fields of others. A field that is not listed here for a principal is one too many. */

const list = (words: string) => words.split(' ')
const inside = (path: string, keys: readonly string[]) => [
  path,
  ...keys.map((key) => `${path}.${key}`),
]
const each = (path: string, keys: readonly string[]) => [
  path,
  ...keys.map((key) => `${path}[].${key}`),
]

const WIDTHS = each('avatar_variants', ['url', 'width'])
/** A girl as a guest sees her, without a picture in full. */
const PERSON = list('id ref_code nick role avatar locale is_premium is_favorite status sub_status')
const GIRL_FOR_GUEST = [...PERSON, 'age', 'is_new']
const GIRL = [...GIRL_FOR_GUEST, ...WIDTHS]
/** The guy shows his country, the girl hides hers. */
const GUY = [...PERSON, 'country']
const PHOTO = list('id kind url width height premium_only locked status like liked position')
const PAGE = list('page per_page total next')
/** Only its owner and staff learn that a photo is adult. */
const OWN_FIELDS = ['adult']
const PERMIT = list('allowed code name')

const MESSAGE = list('message_id dialog_id sender_id type message read_status create_time')
const dialogWith = (person: readonly string[], message: readonly string[]) => [
  ...list('id dialog_id activity_id type count_new_messages'),
  ...inside('interlocutor', person),
  ...inside('last_message', message),
  ...inside('can_write', ['allowed', 'cost']),
]
const girlPage = (
  girl: readonly string[],
  photo: readonly string[],
  { call = PERMIT, write = PERMIT } = {},
) => [
  ...inside('girl', [
    ...girl,
    ...list('about last_visit likes liked videos'),
    ...each('photos', photo),
  ]),
  ...inside('can_call', call),
  ...inside('can_write', write),
]
const page = (item: readonly string[] = []) => [...PAGE, ...each('items', item)]
const notices = (item: readonly string[] = []) => [...page(item), 'unread']
const noticeAbout = (person: readonly string[]) => [
  ...list('id kind create_time read facts'),
  ...inside('user', person),
]
const STATUS = each('statuses', list('user_id status sub_status'))
const OFFER = list('pair_id kind state price free_seconds expires_in_ms about')

type Principal = 'guest' | 'free_guy' | 'premium_guy' | 'blocked_guy' | 'girl' | 'other_girl'
/** The keys, or the name of the refusal. */
type Allowed = Readonly<Partial<Record<Principal, readonly string[] | string>>>

const OPEN_PHOTO = [...PHOTO, ...each('variants', ['url', 'width'])]
const MEMBERS_ONLY = 'registered_only'

const ALLOWED: Readonly<Record<string, Allowed>> = {
  'GET girl_info': {
    guest: girlPage(GIRL_FOR_GUEST, OPEN_PHOTO),
    free_guy: girlPage(GIRL, OPEN_PHOTO, { call: ['allowed'], write: ['allowed'] }),
    premium_guy: girlPage(GIRL, OPEN_PHOTO, { write: ['allowed'] }),
    blocked_guy: 'not_found',
    girl: girlPage(GIRL, [...OPEN_PHOTO, ...OWN_FIELDS]),
    other_girl: girlPage(GIRL, OPEN_PHOTO),
  },
  'GET favourites_pagination': {
    guest: MEMBERS_ONLY,
    free_guy: page([...GIRL, 'favourite_id', ...inside('can_call', ['allowed'])]),
    premium_guy: page([...GIRL, 'favourite_id', ...inside('can_call', PERMIT)]),
    blocked_guy: page(),
    girl: page([...GUY, 'favourite_id', ...inside('can_call', ['allowed'])]),
    other_girl: page(),
  },
  'GET girls': {
    guest: page(GIRL_FOR_GUEST),
    free_guy: page([...GIRL, ...inside('can_call', ['allowed'])]),
    premium_guy: page([...GIRL, ...inside('can_call', PERMIT)]),
    blocked_guy: page(),
    girl: page(GIRL),
    other_girl: page(GIRL),
  },
  'GET notices': {
    guest: MEMBERS_ONLY,
    free_guy: notices([...noticeAbout(GIRL), ...inside('facts', list('asset amount reason'))]),
    premium_guy: notices(),
    blocked_guy: notices(),
    girl: notices(noticeAbout(GUY)),
    other_girl: notices(),
  },
  GET_DIALOGS: {
    guest: MEMBERS_ONLY,
    free_guy: each('dialogs', dialogWith(GIRL, MESSAGE)),
    premium_guy: each('dialogs', dialogWith(GIRL, MESSAGE)),
    blocked_guy: ['dialogs'],
    girl: each('dialogs', dialogWith(GUY, [...MESSAGE, 'random_id'])),
    other_girl: ['dialogs'],
  },
  SUBSCRIBE: {
    guest: STATUS,
    free_guy: STATUS,
    premium_guy: STATUS,
    blocked_guy: STATUS,
    girl: STATUS,
    other_girl: STATUS,
  },
  'event search_pair': {
    guest: [
      ...OFFER.slice(0, -1),
      ...inside('user_interlocutor', list('role locale avatar_blurred')),
    ],
    free_guy: [...OFFER, ...inside('user_interlocutor', GIRL)],
    girl: [...OFFER, 'missed_offers', 'missed_offers_max', ...inside('user_interlocutor', GUY)],
  },
  'event messenger_message': {
    free_guy: [
      ...inside('message', MESSAGE),
      ...inside('dialog', dialogWith(GIRL, MESSAGE)),
      'count_new_messages',
      'change_id',
    ],
    premium_guy: [
      ...inside('message', MESSAGE),
      ...inside('dialog', dialogWith(GIRL, MESSAGE)),
      'count_new_messages',
      'change_id',
    ],
    girl: [...inside('message', [...MESSAGE, 'random_id']), 'count_new_messages', 'change_id'],
  },
  'event added_your_favorites': {
    free_guy: list('user_id nick change_id'),
    girl: list('user_id nick change_id'),
  },
}

/** The paths of all keys at any depth, in order; of a list, those that any item has. */
function toKeys(value: unknown): string[] {
  const walk = (part: unknown, path: string): string[] => {
    if (Array.isArray(part)) return part.flatMap((item) => walk(item, `${path}[]`))
    if (typeof part !== 'object' || part === null) return []
    return Object.entries(part).flatMap(([key, deeper]) => {
      const here = path ? `${path}.${key}` : key
      return [here, ...walk(deeper, here)]
    })
  }
  return [...new Set(walk(value, ''))].toSorted()
}

const sorted = (keys: readonly string[] | string | undefined) =>
  typeof keys === 'object' ? [...new Set(keys)].toSorted() : keys

/** Everything that was answered to a principal, and its events. */
interface Seen {
  readonly user: TestUser
  readonly answers: Record<string, unknown>
}

async function fetchAnswer(ask: () => Promise<unknown>): Promise<unknown> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof WireRefused) return error.refusal
    throw error
  }
}

async function askAll(user: TestUser, girl: TestUser): Promise<Seen> {
  const ref_code = String(girl.user.ref_code)
  const answers = {
    'GET girl_info': await fetchAnswer(() => user.get('girl_info', { ref_code })),
    'GET favourites_pagination': await fetchAnswer(() => user.get('favourites_pagination')),
    'GET girls': await fetchAnswer(() => user.get('girls', { query: girl.name })),
    'GET notices': await fetchAnswer(() => user.get('notices')),
    GET_DIALOGS: await fetchAnswer(() => user.act('GET_DIALOGS', {})),
    SUBSCRIBE: await fetchAnswer(() => user.act('SUBSCRIBE', { user_ids: [girl.id] })),
  }
  return { user, answers }
}

/** The surfaces on which a principal sees other keys than allowed. */
function differences(principal: Principal, { user, answers }: Seen): object[] {
  return Object.entries(ALLOWED).flatMap(([surface, allowed]) => {
    const isEvent = surface.startsWith('event ')
    const events = user.all(surface.replace('event ', '')).map(({ payload }) => payload)
    const seen = isEvent ? (events.length > 0 ? events : [undefined]) : [answers[surface]]
    return seen.flatMap((one): object[] => {
      const got = sorted(typeof one === 'object' ? toKeys(one) : (one as string | undefined))
      const expected = sorted(allowed[principal])
      if (JSON.stringify(got) === JSON.stringify(expected)) return []
      const [more, less] = [got ?? [], expected ?? []]
      if (typeof more === 'string' || typeof less === 'string') return [{ principal, surface, got }]
      return [
        {
          principal,
          surface,
          beyond: more.filter((key) => !less.includes(key)),
          absent: less.filter((key) => !more.includes(key)),
        },
      ]
    })
  })
}

/** Two photos, one for premium only; a hidden and a shown country; private values in every field. */
async function prepare({ app }: TestApp, girl: TestUser, guy: TestUser): Promise<void> {
  for (const fields of [{}, { premium_only: 'true' }] as Record<string, string>[])
    await girl.post('gallery/media', fileForm('media', await photoBytes(300), fields))
  for (const [index, user] of [girl, guy].entries())
    await user.post('profile', {
      phone: `+49305550147${index}`,
      about: 'Hi',
      show_country: user === guy,
    })
  for (const [index, user] of [girl, guy].entries())
    await app.db
      .updateTable('users')
      .set({ country: 'PT', birthday: Temporal.PlainDate.from(`1991-02-0${index + 1}`) })
      .where('id', '=', user.id)
      .execute()
}

/** Values of the own record that no other user may receive. */
async function fetchSecrets(user: TestUser): Promise<string[]> {
  const { user: own } = await user.get('profile')
  const { email, phone, ortc_token, fs_token } = own
  // The people of a story share a birthday, but for those that were prepared.
  const birthday = phone === null ? null : own.birthday
  return [email, phone, birthday, ortc_token, fs_token, user.token].filter(
    (value): value is string => typeof value === 'string',
  )
}

story(
  'each principal gets exactly its fields of other people, in answers and in events',
  async ({ testApp, gina, boris, carl, david, anna, vera }) => {
    await testApp.duet('premium', carl.id, '--days', 30)
    await testApp.duet('grant', boris.id, 15, 'diamond', '--reason', 'test')
    await prepare(testApp, anna, boris)
    for (const guy of [boris, carl, david]) await guy.act('ADD_FAVOURITE', { user_id: anna.id })
    await anna.act('ADD_FAVOURITE', { user_id: boris.id })
    await anna.act('BLOCK_USER', { user_id: david.id })
    for (const guy of [boris, carl])
      await writeMessage(anna, await dialogBetween(anna, guy), 'Hello')
    for (const one of [gina, boris, carl])
      await one.post('age/confirm', { confirmed: true, terms: true })
    await anna.act('MATCH_AWAIT', {})
    await gina.act('MATCH_AWAIT', {})
    await gina.heard('search_pair')
    await boris.act('MATCH_AWAIT', {})
    await boris.heard('search_pair')
    await testApp.settle()

    const principals: Record<Principal, TestUser> = {
      guest: gina,
      free_guy: boris,
      premium_guy: carl,
      blocked_guy: david,
      girl: anna,
      other_girl: vera,
    }
    const found: object[] = []
    const secrets = new Map<TestUser, string[]>()
    for (const one of [boris, carl, david, anna, vera]) secrets.set(one, await fetchSecrets(one))
    for (const [principal, user] of Object.entries(principals)) {
      const seen = await askAll(user, anna)
      found.push(...differences(principal as Principal, seen))
      const received = JSON.stringify([seen.answers, user.all()])
      for (const [owner, values] of secrets)
        if (owner !== user)
          for (const value of values)
            if (received.includes(value)) found.push({ principal, value, of: owner.name })
    }
    deepEqual(found, [])
    ok([...secrets.values()].flat().length > 20)
    await lockedPhoto(boris, carl, anna)
  },
)

/**
 * The keys of a locked photo are the keys of an open photo without its widths. Only its owner and premium
 * open it.
 */
async function lockedPhoto(free: TestUser, premium: TestUser, girl: TestUser): Promise<void> {
  const ref_code = String(girl.user.ref_code)
  for (const [user, isOpen] of [
    [free, false],
    [premium, true],
    [girl, true],
  ] as const) {
    const { photos } = (await user.get('girl_info', { ref_code })).girl
    const photo = photos.find(({ premium_only }) => premium_only)!
    equal(photo.locked, !isOpen)
    equal('variants' in photo, isOpen)
  }
}

/** The values that only the user may read. */
function privateValues({ name, token, user }: TestUser): string[] {
  const { fs_token, ortc_token } = user as { fs_token?: string; ortc_token?: string }
  return [`${name}@duet.example`, PHONES[name], token, fs_token, ortc_token].filter(
    (value): value is string => Boolean(value),
  )
}

const PHONES: Readonly<Record<string, string>> = { boris: '+351910000777', anna: '+351910000888' }

/** Everything that a user can read, with the ids of another user where the request takes an id. */
async function readAll(
  testApp: TestApp,
  reader: TestUser,
  about: { readonly user: TestUser; readonly dialogId: number },
): Promise<string[]> {
  const { actions, endpoints } = testApp.running.registry
  const aimed = (example: unknown) =>
    Object.fromEntries(
      Object.entries(example as object).map(([key, value]) => {
        if (key === 'dialogId') return [key, about.dialogId]
        if (key === 'ref_code') return [key, about.user.user.ref_code]
        if (key === 'user_ids') return [key, [about.user.id]]
        return [key, key.endsWith('user_id') ? about.user.id : value]
      }),
    )
  const read: string[] = []
  for (const [name, { contract, handler }] of actions) {
    const isRead = name.startsWith('GET_') || name === 'SUBSCRIBE'
    if (!handler || !isRead || name !== contract.name || !reader.wire) continue
    const answer = await reader.tryAct(name, aimed(createExample(contract.data, 'required')))
    read.push(`${name} ${JSON.stringify(answer)}`)
  }
  for (const [name, { contract, handler }] of endpoints) {
    if (
      !handler ||
      contract.method !== 'GET' ||
      contract.gives === 'raw' ||
      contract.path.includes('{')
    )
      continue
    const query = aimed(createExample(contract.query, 'required')) as Record<string, string>
    const answer = await reader.get(contract.path, query).catch((error: unknown) => {
      if (error instanceof WireRefused) return error.refusal
      throw error
    })
    read.push(`${name} ${JSON.stringify(answer)}`)
  }
  return read
}

story(
  'no request and no event shows an address, a telephone number or a token of another user',
  async ({ testApp, boris, carl, anna, vera, gina }) => {
    for (const user of [boris, anna]) await user.post('profile', { phone: PHONES[user.name] })
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    await anna.act('ADD_FAVOURITE', { user_id: boris.id })
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'Hello')
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    await boris.act('BREAK_SESSION', { session_id: call.session_id })
    const visitor = testApp.user('visitor')
    for (const reader of [visitor, gina, boris, carl, anna, vera])
      for (const user of [boris, anna]) {
        await testApp.leap('2 min')
        if (reader.wire && !reader.wire.socket.connected) await reader.comeBack()
        const read = await readAll(testApp, reader, { user, dialogId })
        ok(read.length > 8, `${reader.name} read ${read.length}`)
        const events = reader.all().map((heard) => JSON.stringify(heard))
        const hasPrivate = (text: string) =>
          privateValues(user).some((value) => text.includes(value))
        if (reader === user) ok(read.some(hasPrivate), 'the own values are read')
        else
          deepEqual([...read, ...events].filter(hasPrivate), [], `${reader.name} of ${user.name}`)
      }
  },
)
