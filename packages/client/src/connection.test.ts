import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { test, type TestContext } from 'node:test'
import { Server, type Socket } from 'socket.io'
import { createConnection, type Phase } from './connection.ts'
import { importKey, open, seal } from './packet.ts'
import { isRefused, RefusedError } from './call-errors.ts'
import { memoryStore, persistence } from './storage.ts'

type Data = Record<string, unknown>
type Answers = (action: string, data: Data, line: Socket) => unknown

/** A server of the wire's form: it opens packets, asks the test what to answer, and seals that. */
async function serverOf(t: TestContext, answers: Answers) {
  const secret = randomBytes(32).toString('base64')
  const key = await importKey(secret)
  const heard: { action: string; data: Data }[] = []
  const lines: Socket[] = []
  const http = createServer((_, response) =>
    response.end(JSON.stringify({ data: { socket_secret_key: secret } })),
  )
  const io = new Server(http, { transports: ['websocket'] })
  io.on('connection', (line) => {
    lines.push(line)
    line.on('message_main', async (packet: string, ack: (sealed: string) => void) => {
      const { action, data } = (await open(key, packet)) as { action: string; data: Data }
      heard.push({ action, data })
      const answer = answers(action, data, line)
      const failed = answer instanceof RefusedError && {
        code: answer.code,
        name: answer.refusal,
        message: '',
        additional: {},
      }
      ack(await seal(key, failed ? { error: failed } : { data: answer ?? {} }))
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  t.after(() => io.close())
  const address = http.address()
  if (typeof address !== 'object' || !address)
    throw new Error('Impossible: the server listens nowhere')
  return { origin: `http://127.0.0.1:${address.port}`, heard, lines }
}

function clientOf(t: TestContext, origin: string, token?: string) {
  const kept = persistence(memoryStore())
  kept.set('token', token)
  const connection = createConnection({
    origin,
    persistence: kept,
    tabId: async () => '6f1f7a3e-6a8d-4a0e-9d6f-1d1f3b8a7c11',
    locale: () => 'en',
  })
  t.after(() => connection.close())
  const reached = (phase: Phase) =>
    new Promise<void>((resolve) => {
      const look = () => connection.getSnapshot().phase === phase && resolve()
      connection.subscribe(look)
      look()
    })
  return { connection, kept, reached }
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

test('a token that is no longer good makes the page a guest, and is forgotten', async (t) => {
  const { origin, heard } = await serverOf(t, (_, data) =>
    data.token === 'old' ? sessionInvalid() : guest('new'),
  )
  const { connection, kept } = clientOf(t, origin, 'old')
  connection.start()
  await connection.ready()
  equal(kept.get('token'), 'new')
  deepEqual(
    heard.map(({ data }) => data.token),
    ['old', undefined],
  )
})

test('when the answer with a new token was lost, the password in memory brings the member back', async (t) => {
  const { origin, heard } = await serverOf(t, (_, { token, login }) => {
    if (login) return member('third')
    return token === 'lost' ? sessionInvalid() : guest('first')
  })
  const { connection, kept } = clientOf(t, origin)
  connection.start()
  await connection.ready()
  connection.keepToken('lost', { login: 'b@x.y', password: 'a long one' })
  await connection.useToken('lost')
  equal(kept.get('token'), 'third')
  equal(heard.at(-1)?.data.login, 'b@x.y')
})

test('another tab wins: this one does not come back until it is asked to', async (t) => {
  const { origin, lines } = await serverOf(t, () => guest('mine'))
  const { connection, reached } = clientOf(t, origin)
  connection.start()
  await connection.ready()
  lines[0]!.disconnect()
  await reached('other_tab')
  equal(lines.length, 1)
  connection.reconnectNow()
  await reached('ready')
  equal(lines.length, 2)
})

test('a line that broke keeps the screen: who it is stays known', async (t) => {
  const { origin, lines } = await serverOf(t, () => member('mine'))
  const { connection, reached } = clientOf(t, origin)
  connection.start()
  await connection.ready()
  lines[0]!.conn.close()
  await reached('offline')
  equal(connection.getSnapshot().auth?.user.email, 'b@x.y')
  connection.reconnectNow()
  await reached('ready')
})

test('an action that meets 102 waits for AUTH and is repeated once', async (t) => {
  let refusals = 1
  const { origin, heard } = await serverOf(t, (action) => {
    if (action === 'AUTH') return guest('mine')
    return refusals-- > 0 ? sessionInvalid() : {}
  })
  const { connection } = clientOf(t, origin)
  connection.start()
  await connection.act('CHANGE_LOCALE', { locale: 'de' })
  deepEqual(
    heard.map(({ action }) => action),
    ['AUTH', 'CHANGE_LOCALE', 'AUTH', 'CHANGE_LOCALE'],
  )
})

test('a wrong password leaves the former identity and its token', async (t) => {
  const { origin } = await serverOf(t, (_, { login }) =>
    login ? new RefusedError('AUTH', 'wrong_login') : guest('mine'),
  )
  const { connection, kept } = clientOf(t, origin)
  connection.start()
  await connection.ready()
  await rejects(connection.login({ login: 'b@x.y', password: 'wrong' }), (error) =>
    isRefused(error, 'AUTH', 'wrong_login'),
  )
  equal(kept.get('token'), 'mine')
  equal(connection.getSnapshot().phase, 'ready')
})

test('becoming somebody else is told, so that nothing of the former is kept', async (t) => {
  const { origin } = await serverOf(t, (_, { login }) => (login ? member('theirs') : guest('mine')))
  const { connection } = clientOf(t, origin)
  const identities: number[] = []
  connection.on('identity', ({ user }) => identities.push(user.id))
  connection.start()
  await connection.ready()
  await connection.login({ login: 'b@x.y', password: 'right' })
  deepEqual(identities, [7])
})

test('an event has changed the own record before anybody hears it', async (t) => {
  const { origin, lines } = await serverOf(t, () => member('mine'))
  const { connection } = clientOf(t, origin)
  connection.start()
  await connection.ready()
  const seen = new Promise<string | undefined>((resolve) => {
    connection.on('balance', () => resolve(connection.getSnapshot().auth?.user.balance))
  })
  lines[0]!.emit('balance', { balance: '41.5', balance_messages: 0 })
  equal(await seen, '41.5')
})

test('after coming back, what was missed is fetched from the last change that was applied', async (t) => {
  let head = 3
  const { origin, heard, lines } = await serverOf(t, (action) => {
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
  const { connection, reached } = clientOf(t, origin)
  connection.start()
  await connection.ready()
  const told = new Promise<string>((resolve) => {
    connection.on('added_your_favorites', ({ nick }) => resolve(nick))
  })
  lines[0]!.conn.close()
  await reached('offline')
  head = 5
  connection.reconnectNow()
  equal(await told, 'Anna')
  equal(heard.find(({ action }) => action === 'GET_CHANGES')?.data.since, 3)
  equal(connection.getSnapshot().auth?.user.balance, '9')
})

test('what is sealed with the line’s own key is read, whatever comes first', async (t) => {
  const cipher_key = randomBytes(32).toString('base64')
  const cipher = await importKey(cipher_key)
  const { origin, lines } = await serverOf(t, (_, __, line) => {
    line.emit('auth_success', { ...member('mine'), cipher_key })
    return { ...member('mine'), cipher_key }
  })
  const { connection } = clientOf(t, origin)
  connection.start()
  await connection.ready()
  const count = new Promise<number>((resolve) => {
    connection.on('online.count', ({ woman }) => resolve(woman))
  })
  lines[0]!.emit('online.count', await seal(cipher, { woman: 12 }))
  equal(await count, 12)
  ok(connection.getSnapshot().auth)
})
