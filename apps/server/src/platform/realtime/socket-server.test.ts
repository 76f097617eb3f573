import { equal, rejects } from 'node:assert/strict'
import { get } from 'node:http'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { story } from '@duet/testkit/test-app.ts'

story.with({ env: { SOCKETS_MAX: '3' } })(
  'a full server refuses new sockets and accepts them again after others close',
  async ({ testApp, boris }) => {
    await boris.openSignal()
    const third = await testApp.user('the third').connect()
    await rejects(testApp.user('the fourth').connect())
    third.wire!.close()
    while ([...testApp.running.sockets()].length > 2) await testApp.settle()
    await testApp.user('the fourth again').connect()
  },
)

story.with({ env: { SOCKETS_MAX: '10' } })(
  'guests do not get the last places of the server, members get them',
  async ({ testApp, boris }) => {
    const open = () => [...testApp.running.sockets()].length
    for (let number = open(); number < 9; number += 1) await testApp.user('a guest').auth()
    const last = testApp.user('one guest more')
    await rejects(last.auth())
    while (open() > 9) await testApp.settle()
    equal((await testApp.user('boris again', boris.token).auth()).user.id, boris.id)
  },
)

story.with({ env: { SOCKETS_MAX: '10' } })(
  'guests do not get the last places of the server for their signaling, members get them',
  async ({ testApp, boris }) => {
    const guest = await testApp.guest()
    const open = () => [...testApp.running.sockets()].length
    while (open() < 9) await testApp.user('a guest').auth()
    await rejects(guest.openSignal())
    while (open() > 9) await testApp.settle()
    await boris.openSignal()
    equal(open(), 10)
  },
)

story('the socket paths accept websockets only and serve no client code', async ({ testApp }) => {
  const status = (path: string) =>
    new Promise((resolve, reject) => {
      get(`${testApp.origin}${path}`, { headers: { origin: testApp.origin } }, (response) => {
        response.resume()
        resolve(response.statusCode)
      }).once('error', reject)
    })
  equal(await status('/socket.io/?EIO=4&transport=polling'), 400)
  equal(await status('/socket.io/?EIO=4&transport=websocket'), 400)
  equal(await status('/signal/?EIO=4&transport=polling'), 400)
  equal(await status('/socket.io/socket.io.js'), 400)
})

story('both socket paths have the sizes and the ping interval of the wire', async ({ testApp }) => {
  const [main, signal] = testApp.running.socket_servers
  equal(main!.engine.opts.maxHttpBufferSize, 128 * 1024)
  equal(signal!.engine.opts.maxHttpBufferSize, 256 * 1024)
  for (const { engine } of [main!, signal!]) {
    equal(engine.opts.pingInterval, limits.ping_seconds * 1000)
    equal(engine.opts.pingTimeout, limits.ping_timeout_seconds * 1000)
    equal(engine.opts.perMessageDeflate, false)
  }
})

story('an open socket holds nothing of the request that opened it', async ({ testApp, boris }) => {
  await boris.act('SUBSCRIBE', { user_ids: [] })
  for (const socket of testApp.running.sockets()) equal(socket.request, null)
})
