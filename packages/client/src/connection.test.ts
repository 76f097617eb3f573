import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { test, type TestContext } from 'node:test'
import { Server, type Socket } from 'socket.io'
import { type ClientConnection, type ConnectionOptions, createConnection } from './connection.ts'
import type { ConnectionPhase } from './connection-state.ts'
import { importKey, open, seal } from './packet.ts'
import { isRefused, NoAnswerError, RefusedError } from './call-errors.ts'
import { memoryStore, persistence } from './storage.ts'

type Data = Record<string, unknown>
type Answers = (action: string, data: Data, socket: Socket) => unknown

/** A server that speaks packets: it opens a request, takes the answer from the test, and seals it. */
async function fetchServer(t: TestContext, answers: Answers) {
  const secret = randomBytes(32).toString('base64')
  const key = await importKey(secret)
  const requests: { action: string; data: Data }[] = []
  const sockets: Socket[] = []
  const pages: string[] = []
  const http = createServer(({ url }, response) => {
    pages.push(url ?? '')
    response.end(JSON.stringify({ data: { socket_secret_key: secret } }))
  })
  const io = new Server(http, { transports: ['websocket'] })
  io.on('connection', (socket) => {
    sockets.push(socket)
    socket.on('message_main', async (packet: string, ack: (sealed: string) => void) => {
      const { action, data } = (await open(key, packet)) as { action: string; data: Data }
      requests.push({ action, data })
      const answer = answers(action, data, socket)
      const failed = answer instanceof RefusedError && {
        code: answer.code,
        name: answer.refusal,
        message: '',
        additional: answer.additional,
      }
      ack(await seal(key, failed ? { error: failed } : { data: answer ?? {} }))
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  t.after(() => io.close())
  const address = http.address()
  if (typeof address !== 'object' || !address) throw new Error('Impossible: the server has no port')
  return { origin: `http://127.0.0.1:${address.port}`, requests, sockets, pages }
}

function getClient(
  t: TestContext,
  origin: string,
  token?: string,
  options: Partial<ConnectionOptions> = {},
) {
  const stored = persistence(memoryStore())
  stored.set('token', token)
  const connection = createConnection({
    origin,
    persistence: stored,
    tabId: async () => '6f1f7a3e-6a8d-4a0e-9d6f-1d1f3b8a7c11',
    locale: () => 'en',
    ...options,
  })
  t.after(() => connection.close())
  const reached = (phase: ConnectionPhase) =>
    new Promise<void>((resolve) => {
      const look = () => connection.getSnapshot().phase === phase && resolve()
      connection.subscribe(look)
      look()
    })
  return { connection, stored, reached }
}

const guest = (token: string, id = 1) => ({
  token,
  user: { id, email: null, nick: null, balance: '0' },
  change_id: 0,
})
const member = (token: string, id = 7) => ({
  ...guest(token, id),
  user: { ...guest(token, id).user, email: 'b@x.y' },
})
const sessionInvalid = () => new RefusedError('AUTH', 'session_invalid')

test('an invalid token is dropped and the page becomes a guest', async (t) => {
  const { origin, requests } = await fetchServer(t, (_, data) =>
    data.token === 'old' ? sessionInvalid() : guest('new'),
  )
  const { connection, stored } = getClient(t, origin, 'old')
  connection.start()
  await connection.ready()
  equal(stored.get('token'), 'new')
  deepEqual(
    requests.map(({ data }) => data.token),
    ['old', undefined],
  )
})

test('a device whose clock is two hours ahead knows it from the answer to AUTH', async (t) => {
  const server_time = new Date(Date.now() - 2 * 3_600_000).toISOString()
  const { origin } = await fetchServer(t, () => ({ ...guest('first'), server_time }))
  const { connection } = getClient(t, origin)
  connection.start()
  await connection.ready()
  equal(Math.round(connection.getSnapshot().clock_behind_ms! / 3_600_000), -2)
})

test('a registration whose answer was lost logs in with the password', async (t) => {
  let isRegistered = false
  const { origin, requests } = await fetchServer(t, (action, { token, login }, socket) => {
    if (action === 'UPDATE_PROFILE') {
      isRegistered = true
      socket.conn.close()
      return undefined
    }
    if (login) return member('third')
    if (token && isRegistered) return sessionInvalid()
    return guest('first')
  })
  const { connection, stored, reached } = getClient(t, origin)
  connection.start()
  await connection.ready()
  const registered = connection.register({ nick: 'Boris', email: 'b@x.y', password: 'a long one' })
  await reached('offline')
  connection.reconnectNow()
  await registered
  equal(connection.getSnapshot().auth?.user.email, 'b@x.y')
  equal(stored.get('token'), 'third')
  deepEqual(
    requests.filter(({ action }) => action === 'AUTH').map(({ data }) => data.token ?? data.login),
    [undefined, 'first', 'b@x.y'],
  )
})

test('a registration that was refused leaves no password for a later AUTH', async (t) => {
  let isEnded = false
  const { origin, requests } = await fetchServer(t, (action, { token }) => {
    if (action === 'UPDATE_PROFILE') return new RefusedError('UPDATE_PROFILE', 'email_used')
    if (action === 'CHANGE_LOCALE' && !isEnded) {
      isEnded = true
      return sessionInvalid()
    }
    return token && isEnded ? sessionInvalid() : guest(isEnded ? 'second' : 'first')
  })
  const { connection } = getClient(t, origin)
  connection.start()
  await rejects(connection.register({ email: 'b@x.y', password: 'a long one' }), RefusedError)
  await connection.act('CHANGE_LOCALE', { locale: 'de' })
  deepEqual(
    requests.filter(({ action }) => action === 'AUTH').map(({ data }) => data.login),
    [undefined, undefined, undefined],
  )
})

test('a change of the password whose answer was lost goes on with the new one', async (t) => {
  let isChanged = false
  const { origin, requests } = await fetchServer(t, (action, { token, login }, socket) => {
    if (action === 'UPDATE_PROFILE') {
      isChanged = true
      socket.conn.close()
      return undefined
    }
    if (login) return member('second')
    return token === 'first' && isChanged ? sessionInvalid() : member(String(token))
  })
  const { connection, stored, reached } = getClient(t, origin, 'first')
  connection.start()
  await connection.ready()
  const changed = connection.changeCredentials({
    password: 'the new one',
    current_password: 'a long one',
  })
  await reached('offline')
  connection.reconnectNow()
  await changed
  equal(stored.get('token'), 'second')
  const last = requests.findLast(({ data }) => data.login !== undefined)
  deepEqual([last?.data.login, last?.data.password], ['b@x.y', 'the new one'])
})

/** A server with one account. The server can end the login and then refuses the tokens of the login. */
async function serverWithOneAccount(t: TestContext) {
  let tokens = 0
  let ended = 0
  const server = await fetchServer(t, (action, { token, login }) => {
    tokens += 1
    const given = `token ${tokens}`
    if (action === 'UPDATE_PROFILE') return { token: given, user: member(given).user }
    if (login) return member(given)
    if (!token) return guest(given)
    const isEnded = Number(String(token).split(' ')[1]) <= ended
    return isEnded ? sessionInvalid() : member(String(token))
  })
  function endLogin() {
    ended = tokens
    server.sockets.at(-1)!.conn.close()
  }
  return { ...server, endLogin }
}

const CHANGE = { password: 'the new one', current_password: 'a long one' }
const waysToBeMember: [string, (connection: ClientConnection) => Promise<unknown>][] = [
  ['a login', (page) => page.login({ login: 'b@x.y', password: 'a long one' })],
  ['a registration', (page) => page.register({ email: 'b@x.y', password: 'a long one' })],
  ['a changed password', (page) => page.changeCredentials(CHANGE)],
]

for (const [way, become] of waysToBeMember)
  test(`after ${way}, a page whose login the server ends goes on as a guest`, async (t) => {
    const { origin, requests, endLogin } = await serverWithOneAccount(t)
    const { connection, reached } = getClient(t, origin)
    connection.start()
    await become(connection)
    equal(connection.getSnapshot().auth?.user.email, 'b@x.y')
    const before = requests.length
    endLogin()
    await reached('offline')
    connection.reconnectNow()
    await reached('ready')
    equal(connection.getSnapshot().auth?.user.email, null)
    deepEqual(
      requests.slice(before).map(({ action, data }) => [action, data.login]),
      [
        ['AUTH', undefined],
        ['AUTH', undefined],
      ],
    )
  })

test('a lost registration that logged in with the password does so once', async (t) => {
  const { origin, requests, sockets, endLogin } = await serverWithOneAccount(t)
  const { connection, reached } = getClient(t, origin)
  connection.start()
  await connection.ready()
  const registered = connection.register({ email: 'b@x.y', password: 'a long one' })
  endLogin()
  await reached('offline')
  connection.reconnectNow()
  await registered
  endLogin()
  await reached('offline')
  connection.reconnectNow()
  await reached('ready')
  equal(connection.getSnapshot().auth?.user.email, null)
  equal(requests.filter(({ data }) => data.login !== undefined).length, 1)
  equal(sockets.length, 3)
})

test('a change of the password that the server never received is reported', async (t) => {
  const { origin } = await fetchServer(t, (action, _, socket) => {
    if (action !== 'UPDATE_PROFILE') return member('first')
    socket.conn.close()
    return undefined
  })
  const { connection, stored, reached } = getClient(t, origin, 'first')
  connection.start()
  await connection.ready()
  const changed = connection.changeCredentials({
    password: 'the new one',
    current_password: 'a long one',
  })
  await reached('offline')
  connection.reconnectNow()
  await rejects(changed, NoAnswerError)
  equal(stored.get('token'), 'first')
})

test('a changed e-mail brings a new token and the new record', async (t) => {
  const { origin, requests } = await fetchServer(t, (action) =>
    action === 'UPDATE_PROFILE'
      ? { token: 'second', user: { ...member('first').user, email: 'c@x.y' } }
      : member('first'),
  )
  const { connection, stored } = getClient(t, origin, 'first')
  connection.start()
  await connection.changeCredentials({ email: 'c@x.y', current_password: 'a long one' })
  equal(stored.get('token'), 'second')
  equal(connection.getSnapshot().auth?.user.email, 'c@x.y')
  deepEqual(requests.at(-1)?.data, { email: 'c@x.y', current_password: 'a long one' })
})

test('values of an entry link that the server does not accept are dropped, and AUTH succeeds', async (t) => {
  const { origin, requests } = await fetchServer(t, (_, { ref_code }) =>
    ref_code ? new RefusedError('AUTH', 'invalid') : guest('mine'),
  )
  let dropped = 0
  const { connection } = getClient(t, origin, undefined, {
    entry: () => ({ ref_code: 'x'.repeat(33), signature: 'news' }),
    onEntryRefused: () => (dropped += 1),
  })
  connection.start()
  await connection.ready()
  equal(dropped, 1)
  deepEqual(
    requests.map(({ data }) => data.signature),
    ['news', undefined],
  )
})

test('a login with a password does not carry the values of an entry link', async (t) => {
  const { origin, requests } = await fetchServer(t, (_, { login }) =>
    login ? member('theirs') : guest('mine'),
  )
  const { connection } = getClient(t, origin, undefined, { entry: () => ({ ref_code: 'AB12' }) })
  connection.start()
  await connection.ready()
  await connection.login({ login: 'b@x.y', password: 'right' })
  deepEqual(
    requests.map(({ data }) => data.ref_code),
    ['AB12', undefined],
  )
})

test('of many actions that meet session_invalid at once, one AUTH is sent for all', async (t) => {
  let isRotated = false
  const { origin, requests } = await fetchServer(t, (action, { token }) => {
    if (action !== 'AUTH') return isRotated ? {} : sessionInvalid()
    if (token === 'old') isRotated = true
    return guest(token === 'old' ? 'new' : 'old')
  })
  const { connection, stored } = getClient(t, origin)
  connection.start()
  await connection.ready()
  await Promise.all(
    (['de', 'fr', 'es'] as const).map((locale) => connection.act('CHANGE_LOCALE', { locale })),
  )
  equal(requests.filter(({ action }) => action === 'AUTH').length, 2)
  equal(stored.get('token'), 'new')
})

test('a token that another tab stores during AUTH is tried, not dropped with the refused one', async (t) => {
  const { origin } = await fetchServer(t, (_, { token }) => {
    if (token === 'old') {
      stored.set('token', 'rotated by another tab')
      return sessionInvalid()
    }
    return token ? member(String(token)) : guest('guest')
  })
  const { connection, stored } = getClient(t, origin, 'old')
  connection.start()
  await connection.ready()
  equal(connection.getSnapshot().auth?.user.email, 'b@x.y')
  equal(stored.get('token'), 'rotated by another tab')
})

test('the token of a new guest does not replace a login that another tab stores during AUTH', async (t) => {
  const { origin } = await fetchServer(t, (_, { token }) => {
    if (token) return member(String(token))
    stored.set('token', 'login of another tab')
    return guest('guest')
  })
  const { connection, stored } = getClient(t, origin)
  connection.start()
  await connection.ready()
  equal(stored.get('token'), 'login of another tab')
})

test('a page that the server refuses stops, and its actions are refused by the same name', async (t) => {
  const { origin } = await fetchServer(t, () => new RefusedError('AUTH', 'client_old'))
  const { connection, reached } = getClient(t, origin)
  connection.start()
  const waiting = connection.act('CHANGE_LOCALE', { locale: 'de' })
  await rejects(waiting, (error) => error instanceof RefusedError && error.refusal === 'client_old')
  await reached('stopped')
  equal(connection.getSnapshot().problem?.type, 'too_old')
  await rejects(connection.ready(), RefusedError)
})

test('a captcha of AUTH that was given up is asked for again by the next action', async (t) => {
  const challenge = { kind: 'hcaptcha', key: 'key' }
  let isPassed = false
  const { origin } = await fetchServer(t, (action) => {
    if (action === 'CAPTCHA') isPassed = true
    return action !== 'AUTH' || isPassed
      ? guest('mine')
      : new RefusedError('AUTH', 'captcha_required', { additional: { challenge } })
  })
  const answers = [undefined, undefined, 'solved']
  const { connection, reached } = getClient(t, origin, undefined, {
    solveCaptcha: async () => answers.shift(),
  })
  connection.start()
  await reached('stopped')
  await rejects(
    connection.act('CHANGE_LOCALE', { locale: 'de' }),
    (error) => error instanceof RefusedError && error.refusal === 'captcha_required',
  )
  await connection.act('CHANGE_LOCALE', { locale: 'de' })
  equal(answers.length, 0)
})

test('a reconnect needs no HTTP request before it', async (t) => {
  const { origin, sockets, pages } = await fetchServer(t, () => guest('mine'))
  const { connection, reached } = getClient(t, origin)
  connection.start()
  await connection.ready()
  sockets[0]!.conn.close()
  await reached('offline')
  connection.wake()
  await reached('ready')
  deepEqual(pages, ['/api/system'])
})

test('the system answer that connecting fetched is returned once', async (t) => {
  const { origin, pages } = await fetchServer(t, () => guest('mine'))
  const { connection } = getClient(t, origin)
  connection.start()
  const system = connection.system()
  await connection.ready()
  ok((await system).socket_secret_key)
  equal(pages.length, 1)
  await connection.system()
  equal(pages.length, 2)
})

test('a page that slept for longer than the ping connects again, an awake one keeps its socket', async (t) => {
  const { origin, sockets } = await fetchServer(t, () => guest('mine'))
  const { connection } = getClient(t, origin)
  connection.start()
  await connection.ready()
  connection.wake()
  await connection.act('CHANGE_LOCALE', { locale: 'de' })
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_000 })
  const reconnected = new Promise<void>((resolve) => {
    connection.on('snapshot', ({ phase }) => phase === 'connecting' && resolve())
  })
  equal(sockets.length, 1)
  connection.wake()
  await reconnected
  await connection.ready()
  equal(sockets.length, 2)
})

test('a login that is ended without a connection is forgotten, and takes no other device over', async (t) => {
  const { origin, requests, sockets } = await fetchServer(t, (action, { token }) => {
    if (action === 'CHANGE_LOCALE') return {}
    return token === 'hers' ? member('hers') : guest('mine')
  })
  const { connection, stored, reached } = getClient(t, origin, 'hers')
  connection.start()
  await connection.ready()
  sockets[0]!.conn.close()
  await reached('offline')
  let logouts = 0
  connection.on('logout', () => (logouts += 1))
  stored.set('age_accepted', true)
  stored.set('sex', 'F')
  const loggedOut = connection.logout()
  equal(logouts, 1)
  await loggedOut
  // The next user of the device is asked for the own age.
  deepEqual([stored.get('age_accepted'), stored.get('sex')], [undefined, undefined])
  equal(connection.getSnapshot().auth, undefined)
  equal(stored.get('token'), undefined)
  connection.reconnectNow()
  await connection.ready()
  await connection.act('CHANGE_LOCALE', { locale: 'de' })
  deepEqual(
    requests.slice(1).map(({ action, data }) => [action, data.token]),
    [
      ['AUTH', undefined],
      ['CHANGE_LOCALE', undefined],
    ],
  )
  equal(sockets.length, 2)
})

test('a log-out removes the texts of the user from the browser, and of no other user', async (t) => {
  const { origin } = await fetchServer(t, (action, { token }) => {
    if (action === 'LOGOUT') return {}
    return token === 'hers' ? member('hers') : guest('mine')
  })
  const { connection, stored } = getClient(t, origin, 'hers')
  connection.start()
  await connection.ready()
  const getDraft = (user_id: number) => ({ user_id, dialog_id: 3, text: 'secret' })
  const getUnsent = (user_id: number) => ({
    ...getDraft(user_id),
    random_id: `of ${user_id}`,
    written_at: '2026-03-01T10:00:00Z',
  })
  stored.set('drafts', [getDraft(7), getDraft(8)])
  stored.set('unsent_messages', [getUnsent(7)])
  stored.set('translated_dialogs', [{ user_id: 7, dialog_id: 3 }])
  const loggedOut = connection.logout()
  deepEqual(stored.get('drafts'), [getDraft(8)])
  // A screen that is still shown stores the text of its field.
  stored.set('drafts', [getDraft(7), getDraft(8)])
  await loggedOut
  deepEqual(stored.get('drafts'), [getDraft(8)])
  equal(stored.get('unsent_messages'), undefined)
  equal(stored.get('translated_dialogs'), undefined)
})

test('the login of a user removes the texts of other users, and keeps its own', async (t) => {
  const { origin } = await fetchServer(t, () => member('hers', 7))
  const { connection, stored } = getClient(t, origin, 'hers')
  const getDraft = (user_id: number) => ({ user_id, dialog_id: 3, text: 'secret' })
  stored.set('drafts', [getDraft(7), getDraft(8)])
  connection.start()
  await connection.ready()
  deepEqual(stored.get('drafts'), [getDraft(7)])
})

test('after another tab took over, reconnects only when it is asked to', async (t) => {
  const { origin, sockets } = await fetchServer(t, () => guest('mine'))
  const { connection, reached } = getClient(t, origin)
  connection.start()
  await connection.ready()
  sockets[0]!.disconnect()
  await reached('other_tab')
  equal(sockets.length, 1)
  connection.reconnectNow()
  await reached('ready')
  equal(sockets.length, 2)
})

test('keeps the own record while the connection is lost', async (t) => {
  const { origin, sockets } = await fetchServer(t, () => member('mine'))
  const { connection, reached } = getClient(t, origin)
  connection.start()
  await connection.ready()
  sockets[0]!.conn.close()
  await reached('offline')
  equal(connection.getSnapshot().auth?.user.email, 'b@x.y')
  connection.reconnectNow()
  await reached('ready')
})

test('an action refused with session_invalid waits for AUTH and is repeated once', async (t) => {
  let refusals = 1
  const { origin, requests } = await fetchServer(t, (action) => {
    if (action === 'AUTH') return guest('mine')
    return refusals-- > 0 ? sessionInvalid() : {}
  })
  const { connection } = getClient(t, origin)
  connection.start()
  await connection.act('CHANGE_LOCALE', { locale: 'de' })
  deepEqual(
    requests.map(({ action }) => action),
    ['AUTH', 'CHANGE_LOCALE', 'AUTH', 'CHANGE_LOCALE'],
  )
})

test('a wrong password leaves the former identity and its token', async (t) => {
  const { origin } = await fetchServer(t, (_, { login }) =>
    login ? new RefusedError('AUTH', 'wrong_login') : guest('mine'),
  )
  const { connection, stored } = getClient(t, origin)
  connection.start()
  await connection.ready()
  await rejects(connection.login({ login: 'b@x.y', password: 'wrong' }), (error) =>
    isRefused(error, 'AUTH', 'wrong_login'),
  )
  equal(stored.get('token'), 'mine')
  equal(connection.getSnapshot().phase, 'ready')
})

test('raises quota_spent once when the last free message is used', async (t) => {
  const { origin, sockets } = await fetchServer(t, () => ({
    ...member('a'),
    free_quota_messages: 1,
  }))
  const { connection, reached } = getClient(t, origin, 'a')
  const events: string[] = []
  connection.on('quota_spent', () => events.push('spent'))
  const renewed = new Promise<void>((resolve) =>
    connection.on('free_quota', ({ messages }) => {
      events.push(`left ${messages}`)
      if (events.length === 6) resolve()
    }),
  )
  connection.start()
  await reached('ready')
  for (const messages of [0, 0, 5, 0]) sockets[0]!.emit('free_quota', { seconds: 0, messages })
  await renewed
  deepEqual(events, ['spent', 'left 0', 'left 0', 'left 5', 'spent', 'left 0'])
})

test('publishes a new identity, so that caches of the former one are dropped', async (t) => {
  const { origin } = await fetchServer(t, (_, { login }) =>
    login ? member('theirs') : guest('mine'),
  )
  const { connection } = getClient(t, origin)
  const identities: number[] = []
  connection.on('identity', (auth) => identities.push(auth!.user.id))
  connection.start()
  await connection.ready()
  await connection.login({ login: 'b@x.y', password: 'right' })
  deepEqual(identities, [7])
})

test('an event changes the own record before its listeners are called', async (t) => {
  const { origin, sockets } = await fetchServer(t, () => member('mine'))
  const { connection } = getClient(t, origin)
  connection.start()
  await connection.ready()
  const seen = new Promise<string | undefined>((resolve) => {
    connection.on('balance', () => resolve(connection.getSnapshot().auth?.user.balance))
  })
  sockets[0]!.emit('balance', { balance: '41.5', balance_messages: 0 })
  equal(await seen, '41.5')
})

test('after a reconnect, fetches the changes since the last one applied', async (t) => {
  let head = 3
  const { origin, requests, sockets } = await fetchServer(t, (action) => {
    if (action === 'AUTH') return { ...member('mine'), change_id: head }
    return {
      changes: [
        {
          change_id: 4,
          event: 'new_balance_info',
          payload: { id: 1, balance: '9', balance_messages: 0, reason: 'grant' },
        },
        { change_id: 5, event: 'added_your_favorites', payload: { user_id: 3, nick: 'Anna' } },
      ],
      next: false,
      reset: false,
    }
  })
  const { connection, reached } = getClient(t, origin)
  connection.start()
  await connection.ready()
  const added = new Promise<string>((resolve) => {
    connection.on('added_your_favorites', ({ nick }) => resolve(nick))
  })
  sockets[0]!.conn.close()
  await reached('offline')
  head = 5
  connection.reconnectNow()
  equal(await added, 'Anna')
  equal(requests.find(({ action }) => action === 'GET_CHANGES')?.data.since, 3)
  equal(connection.getSnapshot().auth?.user.balance, '9')
})

test('events without a listener are kept with the answer to AUTH that they follow, once', async (t) => {
  const { origin, sockets } = await fetchServer(t, (_, __, socket) => {
    socket.emit('auth_success', member('mine'))
    return member('mine')
  })
  const { connection } = getClient(t, origin)
  connection.start()
  await connection.ready()
  const counted = new Promise<void>((resolve) => connection.on('online.count', () => resolve()))
  sockets[0]!.emit('session_typing', { session_id: 4, user_id: 2 })
  sockets[0]!.emit('online.count', { woman: 1 })
  await counted
  const missed = connection.takeMissedEvents()
  equal(missed?.auth.user.id, 7)
  deepEqual(
    missed?.events.map(({ type, payload }) => [type, payload]),
    [['session_typing', { session_id: 4, user_id: 2 }]],
  )
  equal(connection.takeMissedEvents(), undefined)
})

test('opens events sealed with the cipher key of auth_success', async (t) => {
  const cipher_key = randomBytes(32).toString('base64')
  const cipher = await importKey(cipher_key)
  const { origin, sockets } = await fetchServer(t, (_, __, socket) => {
    socket.emit('auth_success', { ...member('mine'), cipher_key })
    return { ...member('mine'), cipher_key }
  })
  const { connection } = getClient(t, origin)
  connection.start()
  await connection.ready()
  const count = new Promise<number>((resolve) => {
    connection.on('online.count', ({ woman }) => resolve(woman))
  })
  sockets[0]!.emit('online.count', await seal(cipher, { woman: 12 }))
  equal(await count, 12)
  ok(connection.getSnapshot().auth)
})

test('names the problem of a refused AUTH and clears it once AUTH succeeds', async (t) => {
  const refused = [
    new RefusedError('AUTH', 'client_old'),
    new RefusedError('AUTH', 'captcha_required'),
    new RefusedError('AUTH', 'too_many', { additional: { retry_after: 0 } }),
    new RefusedError('AUTH', 'draining', { additional: { retry_after: 0 } }),
  ]
  const { origin } = await fetchServer(t, () => refused.shift() ?? guest('mine'))
  const { connection, reached } = getClient(t, origin)
  const problems: (string | undefined)[] = []
  connection.on('snapshot', ({ phase, problem }) => {
    if (phase !== 'offline' && phase !== 'stopped') return
    problems.push(`${phase} ${problem?.type === 'refused' ? problem.error.refusal : problem?.type}`)
    queueMicrotask(connection.reconnectNow)
  })
  connection.start()
  await reached('ready')
  deepEqual(
    [...new Set(problems)],
    ['stopped too_old', 'stopped captcha_required', 'offline too_many', 'offline draining'],
  )
  equal(connection.getSnapshot().problem, undefined)
})

test('a server that drains stays the problem after its sockets are closed', async (t) => {
  const { origin, sockets } = await fetchServer(t, () => guest('mine'))
  const { connection, reached } = getClient(t, origin)
  connection.start()
  await connection.ready()
  const draining = new Promise<void>((resolve) => {
    connection.on('reconnect', () => resolve())
  })
  sockets[0]!.emit('reconnect', { after_ms: 60_000 })
  await draining
  sockets[0]!.conn.close()
  await reached('offline')
  equal(connection.getSnapshot().problem?.type, 'draining')
})

test('a wait for the connection ends after its limit', async (t) => {
  const { connection } = getClient(t, 'http://127.0.0.1:9')
  connection.start()
  await rejects(connection.ready(1), NoAnswerError)
})

test('a missing answer is the problem offline', async (t) => {
  const { connection, reached } = getClient(t, 'http://127.0.0.1:9')
  connection.start()
  await reached('offline')
  deepEqual(connection.getSnapshot().problem, { type: 'offline' })
})
