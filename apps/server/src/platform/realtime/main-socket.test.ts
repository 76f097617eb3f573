import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { seal } from '../../lib/cipher.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { story, together } from '@duet/testkit/test-app.ts'
import { openSocket, sendPacket, type WireSocket } from '@duet/testkit/wire-client.ts'
import { limits } from '@duet/protocol/kernel/limits.ts'

const auth = {
  device_type: 'web',
  version: '2.0.1',
  tab_id: '6e8b1c84-9a53-4a4f-9a6b-5a4f3f3f2b11',
} as const

story('refuses a page of another origin at the handshake', async ({ testApp }) => {
  const { origin } = testApp
  const port = new URL(origin).port
  const strangers = [
    'null',
    'https://duet.example',
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1.duet.example:${port}`,
    `http://127.0.0.1`,
    `http://127.0.0.1:${Number(port) + 1}`,
    `${origin}/`,
    `${origin}.example`,
    `http://localhost:${port}`,
    `http://[::1]:${port}`,
    `http://x@127.0.0.1:${port}`,
    origin.toUpperCase(),
    ` ${origin}x`,
    'file://',
    'about:blank',
    `http://0.0.0.0:${port}`,
    `http://127.1:${port}`,
    `http://2130706433:${port}`,
    'chrome-extension://abcdef',
    `${origin},${origin}`,
    `ws://127.0.0.1:${port}`,
    'undefined',
    '*',
    'http://',
    `${origin}#`,
    `http://127.0.0.1:0${port}`,
    `http://127.0.0.1:${port}@evil.example`,
    'javascript:alert(1)',
    'data:text/html,x',
  ]
  for (const stranger of strangers)
    await rejects(testApp.user('a stranger').connect({ origin: stranger }), `${stranger} came in`)
  await rejects(testApp.user('visitor').connect({}))
  await testApp.user('ours').connect()
})

story('before AUTH only AUTH and CAPTCHA are accepted', async ({ testApp }) => {
  const visitor = await testApp.user('a visitor').connect()
  for (const action of [
    'LOGOUT',
    'ADD_FAVOURITE',
    'GET_CHANGES',
    'NO_SUCH_ACTION',
    'constructor',
    '__proto__',
  ]) {
    deepEqual(
      (await visitor.tryAct(action, {})) as object,
      {
        error: {
          code: 102,
          name: 'session_invalid',
          message: 'Session invalid',
          additional: {},
        },
      },
      action,
    )
  }
  await visitor.heard('error_102', { action: 'LOGOUT' })
})

story("accepts the name of the client's method as the name of the action", async ({ testApp }) => {
  const visitor = await testApp.user('a visitor').connect()
  const answer = (await visitor.tryAct('register', auth)) as { data: { token: string } }
  ok(answer.data.token)
})

story(
  'an action that the protocol does not know is 901, bad fields are 900 with their paths',
  async ({ gina }) => {
    await gina.isRefused('unknown_call', () => gina.act('NO_SUCH_ACTION' as never, {} as never))
    const { fields } = (await gina.isRefused('invalid', () =>
      gina.act('SUBSCRIBE', { user_ids: [1, 'two', -3] } as never),
    )) as {
      fields: { path: string }[]
    }
    deepEqual(
      fields.map(({ path }) => path),
      ['user_ids.1', 'user_ids.2'],
    )
    await gina.heard('error_900', { action: 'SUBSCRIBE' })
    await gina.isRefused('invalid', () => gina.act('SUBSCRIBE', null as never))
  },
)

story(
  'an unreadable packet is 903, and ten of them in a minute close the socket',
  async ({ testApp, gina }) => {
    const key = testApp.socket_key
    const deep = seal(key, {
      action: 'SUBSCRIBE',
      data: JSON.parse(`${'['.repeat(13)}${']'.repeat(13)}`),
    })
    const wide = seal(key, {
      action: 'SUBSCRIBE',
      data: Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`k${index}`, 1])),
    })
    const damaged = seal(key, { action: 'LOGOUT', data: {} }).replace(/^.{20}/, 'A'.repeat(20))
    const packets: unknown[] = [
      '',
      'not base64 !',
      7,
      null,
      { action: 'LOGOUT' },
      damaged,
      seal(randomBytes(32), { action: 'LOGOUT' }),
      seal(key, ['LOGOUT']),
      deep,
      wide,
    ]
    for (const [index, packet] of packets.entries()) {
      ok(gina.wire!.socket.connected, `${index} unreadable packets are tolerated`)
      const answer = await sendPacket(gina.wire!, key, packet)
      equal('error' in answer && answer.error.code, 903, JSON.stringify(packet)?.slice(0, 80))
    }
    equal(await gina.wire!.closed, 'transport close')
  },
)

story('unreadable packets stop counting as minutes pass', async ({ testApp, gina }) => {
  for (let minute = 0; minute < 3; minute += 1) {
    for (let count = 0; count < 9; count += 1)
      await sendPacket(gina.wire!, testApp.socket_key, 'unreadable')
    await testApp.advance('1 min')
  }
  ok(gina.wire!.socket.connected)
})

story('a packet may decode to 64 KiB, and not to a byte more', async ({ testApp, gina }) => {
  const envelope = JSON.stringify({ action: 'NO_SUCH', data: '' }).length
  const ofBytes = (bytes: number) =>
    sendPacket(
      gina.wire!,
      testApp.socket_key,
      seal(testApp.socket_key, { action: 'NO_SUCH', data: 'x'.repeat(bytes - envelope) }),
    )
  deepEqual(await ofBytes(64 * 1024).then((answer) => 'error' in answer && answer.error.code), 901)
  deepEqual(
    await ofBytes(64 * 1024 + 1).then((answer) => 'error' in answer && answer.error.code),
    903,
  )
})

story('a message over 128 KiB closes the connection', async ({ gina }) => {
  gina.wire!.socket.emit('message_main', 'x'.repeat(128 * 1024))
  match(await gina.wire!.closed, /^transport (close|error)$/)
})

story(
  'forty actions at once are served, the next are 601 with the time to wait, and twenty more a second later',
  async ({ testApp, gina }) => {
    const codes = async (times: number) => {
      const answers = await together(times, () => gina.tryAct('NO_SUCH', {}))
      return answers.map((answer) => 'error' in answer && answer.error.code)
    }
    const first = await codes(60)
    equal(first.filter((code) => code === 901).length, 40)
    equal(first.filter((code) => code === 601).length, 20)
    await gina.heard('error_601', { name: 'too_many', additional: { retry_after: 1 } })
    await testApp.advance('1 s')
    equal((await codes(30)).filter((code) => code === 901).length, 20)
  },
)

story('ten times the permitted rate closes the socket', async ({ testApp, gina }) => {
  const packet = seal(testApp.socket_key, { action: 'NO_SUCH', data: {} })
  for (let count = 0; count < 401; count += 1) gina.wire!.socket.emit('message_main', packet)
  equal(await gina.wire!.closed, 'transport close')
})

story(
  'closes a socket that does not authenticate within ten seconds',
  async ({ testApp, gina }) => {
    const silent = await testApp.user('visitor').connect()
    await testApp.advance('9 s')
    ok(silent.wire!.socket.connected)
    await testApp.advance('1 s')
    equal(await silent.wire!.closed, 'transport close')
    await testApp.advance('2 min')
    ok(gina.wire!.socket.connected, 'the authenticated socket stays open')
  },
)

story('packets of unknown events count against the rate of the socket', async ({ gina }) => {
  for (let count = 0; count < 401; count += 1) gina.wire!.socket.emit('no_such_event', {})
  equal(await gina.wire!.closed, 'transport close')
})

story(
  'connections to unknown namespaces count against the rate of the socket, also before AUTH',
  async ({ testApp }) => {
    const { origin, beyond } = testApp
    const wire = await openSocket(origin, '/socket.io', { origin }, beyond)
    // The client keeps one namespace of a name, so each has its own.
    for (let count = 0; count < 401; count += 1) wire.socket.io.socket(`/none-${count}`).connect()
    equal(await wire.closed, 'transport close')
  },
)

story('the bytes of a socket are limited, also in packets that nothing reads', async ({ gina }) => {
  const text = 'x'.repeat(limits.main_transport_bytes - 100)
  for (let sent = 0; sent <= limits.transport_bytes_burst; sent += text.length)
    gina.wire!.socket.emit('no_such_event', text)
  match(await gina.wire!.closed, /^transport (close|error)$/)
})

story(
  'the bytes of attachments, of other scripts and of answers to pings are limited too',
  async ({ testApp }) => {
    const bytes = limits.main_transport_bytes - 200
    const send: ((socket: WireSocket['socket']) => unknown)[] = [
      (socket) => socket.emit('no_such_event', Buffer.alloc(bytes)),
      (socket) => socket.emit('no_such_event', '\u20ac'.repeat(bytes / 3)),
      (socket) => socket.io.engine.transport.send([{ type: 'pong', data: 'x'.repeat(bytes) }]),
    ]
    for (const [index, once] of send.entries()) {
      const sender = await testApp.user(`sender ${index}`).connect()
      for (let sent = 0; sent <= limits.transport_bytes_burst; sent += bytes - 2)
        once(sender.wire!.socket)
      // The server has read everything when it answers this: a socket that is still open was not limited.
      await Promise.race([sender.wire!.closed, sender.tryAct('NO_SUCH', {})])
      equal(sender.wire!.socket.connected, false, `sender ${index}`)
    }
  },
)

story('ignores invented and reserved event names', async ({ gina }) => {
  for (const name of ['message_other', '__proto__', 'toString', 'auth_success', 'x'.repeat(1000)])
    gina.wire!.socket.emit(name, {})
  deepEqual((await gina.act('SUBSCRIBE', { user_ids: [] })).statuses, [])
})

story('no packet changes a prototype', async ({ testApp, gina }) => {
  const poison = JSON.parse(
    '{"__proto__":{"poisoned":true},"constructor":{"prototype":{"poisoned":true}},"user_ids":[]}',
  ) as object
  await sendPacket(
    gina.wire!,
    testApp.socket_key,
    seal(testApp.socket_key, { action: 'SUBSCRIBE', data: poison }),
  )
  equal(({} as { poisoned?: boolean }).poisoned, undefined)
})

story(
  "after a request for a cipher every later event is sealed with the socket's own key",
  async ({ testApp, anna }) => {
    const guy = testApp.user('a guy with a cipher', anna.token)
    const { cipher_key } = await guy.auth({ cipher: true })
    ok(cipher_key)
    const raw: unknown[] = []
    guy.wire!.socket.onAny((event, payload) => event.startsWith('error_') && raw.push(payload))
    await guy.tryAct('NO_SUCH', {})
    await guy.heard('error_901', { action: 'NO_SUCH' })
    equal(typeof raw[0], 'string')
  },
)

story(
  'closing a socket through AUTH of another user ends no other socket',
  async ({ testApp, boris, anna }) => {
    await rejects(boris.auth({ token: 'no-such-token' }), /102/)
    equal(testApp.app.realtime.local.activeConnection(boris.id)?.main, true)
    const { user } = await boris.auth({ token: anna.token! })
    equal(user.id, anna.id)
    equal(await anna.wire!.closed, 'io server disconnect')
  },
)

story(
  'events of the former identity do not reach the next identity of the same socket',
  async ({ testApp, boris, anna, carl }) => {
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    boris.forget()
    const { change_id } = await boris.auth({ token: carl.token! })
    await testApp.settle()
    const foreign = boris.all().filter(({ event }) => event !== 'auth_success')
    deepEqual(foreign, [], 'only events of the new identity follow its auth_success')
    equal(change_id, 0)
    await anna.heard('close_session', { session_id: call.session_id })
  },
)

story(
  'an answer that cannot be written is 999, and the server goes on',
  async ({ testApp, gina }) => {
    const { actions } = testApp.running.registry
    const mounted = actions.get('SUBSCRIBE')! as { handler: unknown }
    const { handler } = mounted
    mounted.handler = async () => ({ statuses: [], units: 1n })
    const answer = await gina.tryAct('SUBSCRIBE', { user_ids: [] })
    equal('error' in answer && answer.error.code, 999)
    mounted.handler = handler
    deepEqual((await gina.act('SUBSCRIBE', { user_ids: [] })).statuses, [])
  },
)

story(
  'an event that cannot be written is lost alone: its sender goes on',
  async ({ testApp, gina }) => {
    testApp.app.emit(gina.id, 'reconnect', { after_ms: 1n } as never)
    testApp.app.emit(gina.id, 'reconnect', { after_ms: 7 })
    await gina.heard('reconnect', { after_ms: 7 })
  },
)
