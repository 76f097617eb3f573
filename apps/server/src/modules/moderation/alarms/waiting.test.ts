import { deepEqual, equal } from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { openPushService, type TestBrowser } from '@duet/testkit/stand-ins/push-service.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import type { Alarm } from '../../../integrations/alarms/alarms.ts'
import { createWebPush, newPushKeys } from '../../../integrations/push/web-push.ts'

const heard: Alarm[] = []
let isDown = true
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (piece: Buffer) => (body += piece.toString()))
  request.on('end', () => {
    if (!isDown) heard.push(JSON.parse(body) as Alarm)
    response.writeHead(isDown ? 503 : 204).end()
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
after(() => receiver.close())
const { port } = receiver.address() as AddressInfo

async function counted(testApp: TestApp): Promise<number> {
  const { values } = await testApp.app.metrics.alarms.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}

async function alarmed(testApp: TestApp) {
  await testApp.app.jobs.run('complaints warn')
  await testApp.settle()
  const mails = await testApp.mails()
  const told = mails.filter(({ subject }) => subject.startsWith('Serious complaints'))
  return { mails: told.map(({ to }) => to).toSorted(), metric: await counted(testApp) }
}

story.with({ env: { ALARM_WEBHOOK_URL: `http://127.0.0.1:${port}/` } })(
  'a serious complaint without a decision raises an alarm after 15 minutes, and again each hour',
  async ({ testApp, boris, carl, anna }) => {
    for (const [role, email] of [
      ['moderator', 'dana@duet.example'],
      ['manager', 'mia@duet.example'],
      ['owner', 'otto@duet.example'],
    ] as const)
      await openStaff(testApp, role, email)
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    const { complaint_id } = await anna.act('PANIC', { session_id })
    await carl.act('TO_COMPLAIN', { reason: 'spam', user_id: anna.id, comment: '' })
    await testApp.leap('14 min')
    deepEqual(await alarmed(testApp), { mails: [], metric: 0 })
    await testApp.leap('61 s')
    const bosses = ['mia@duet.example', 'otto@duet.example']
    deepEqual(await alarmed(testApp), { mails: bosses, metric: 1 })
    deepEqual(await alarmed(testApp), { mails: bosses, metric: 1 })
    // The webhook is repeated until its receiver takes the alarm.
    deepEqual(heard, [])
    isDown = false
    await testApp.leap('1 min')
    await testApp.running.outbox.poll()
    deepEqual(
      heard.map(({ complaint_ids }) => complaint_ids),
      [[complaint_id]],
    )
    await testApp.leap('60 min')
    equal((await alarmed(testApp)).metric, 2)
    const line = ['--decision', 'no_violation', '--comment', 'x'] as const
    await testApp.duet('complaints', 'decide', complaint_id, ...line)
    await testApp.leap('60 min')
    equal((await alarmed(testApp)).metric, 2)
  },
)

story(
  'complaints about minors by people without contact raise one alarm a day, and a real one its own at once',
  async ({ testApp, boris, carl, anna, vera }) => {
    const reportChild = (one: TestUser, girl: TestUser) =>
      one.act('TO_COMPLAIN', { reason: 'child', user_id: girl.id, comment: '' })
    await openStaff(testApp, 'owner', 'otto@duet.example')
    const before = await counted(testApp)
    const since = async () => {
      const { mails, metric } = await alarmed(testApp)
      return [mails.length, metric - before]
    }
    await reportChild(carl, anna)
    await reportChild(boris, vera)
    await testApp.leap('16 min')
    deepEqual(await since(), [0, 2])
    const texts = (await testApp.mails()).map(({ subject }) => subject)
    deepEqual(texts, ['Complaints of strangers about minors: 2'])
    await reportChild(carl, vera)
    await testApp.leap('2 h')
    deepEqual(await since(), [0, 2])
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    await anna.act('PANIC', { session_id })
    await testApp.leap('16 min')
    deepEqual(await since(), [1, 3])
    await testApp.leap('22 h')
    // The panic once more, and the three complaints of strangers together.
    deepEqual(await since(), [2, 7])
  },
)

story(
  'serious complaints that come one after another are one alarm in 15 minutes',
  async ({ testApp, boris, carl, anna, vera }) => {
    await openStaff(testApp, 'owner', 'otto@duet.example')
    const calls = [
      await inCall(testApp, { guy: boris, girl: anna }),
      await inCall(testApp, { guy: carl, girl: vera }),
    ]
    const subjects = async () => {
      await alarmed(testApp)
      return (await testApp.mails()).map(({ subject }) => subject).toReversed()
    }
    await anna.act('PANIC', { session_id: calls[0]!.session_id })
    await testApp.leap('2 min')
    await vera.act('PANIC', { session_id: calls[1]!.session_id })
    const first = 'Serious complaints wait for a decision: 1'
    await testApp.leap('13 min')
    deepEqual(await subjects(), [first])
    await testApp.leap('3 min')
    deepEqual(await subjects(), [first])
    const both = 'Serious complaints wait for a decision: 2'
    await testApp.leap('12 min')
    deepEqual(await subjects(), [first, both])
    await testApp.leap('59 min')
    deepEqual(await subjects(), [first, both])
    await testApp.leap('1 min')
    deepEqual(await subjects(), [first, both, both])
  },
)

const pushes = await openPushService()
after(() => pushes.close())
const push = createWebPush({
  keys: newPushKeys(),
  subject: 'mailto:operator@duet.example',
  hosts: [pushes.host],
  agent: pushes.agent,
})

story.with({ push })(
  'an alarm reaches the devices of managers and owners, says nothing of the case, and ends with the factors',
  async ({ testApp, boris, anna }) => {
    const mia = await openStaff(testApp, 'manager', 'mia@duet.example')
    const otto = await openStaff(testApp, 'owner', 'otto@duet.example')
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const [hers, his] = [pushes.browser(), pushes.browser()]
    const turn = (user: TestUser, { subscription }: TestBrowser, on: boolean) =>
      user.post('v2/manager/push', { subscription, on })
    await dana.isRefused('role_forbidden', () => turn(dana, hers, true))
    const elsewhere = { ...hers.subscription, endpoint: 'https://127.0.0.1/admin' }
    await mia.isRefused('method_unavailable', () =>
      turn(mia, { ...hers, subscription: elsewhere }, true),
    )
    for (const _ of [1, 2]) await turn(mia, hers, true)
    await turn(otto, his, true)
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    await anna.act('PANIC', { session_id })
    // The alarm is for people who are away: their sessions have ended.
    await testApp.leap('13 h')
    await testApp.app.jobs.run('complaints warn')
    await testApp.settle()
    const bodies = () => pushes.taken.map(({ path, payload }) => [path, payload])
    const payload = { title: 'Duet', body: 'Serious complaints wait for a decision: 1' }
    deepEqual(
      bodies().toSorted(),
      [
        [hers.path, payload],
        [his.path, payload],
      ].toSorted(),
    )
    deepEqual(pushes.wrong, [])
    await testApp.duet('staff', 'end', 'mia@duet.example')
    await testApp.leap('61 min')
    await testApp.app.jobs.run('complaints warn')
    await testApp.settle()
    deepEqual(bodies().slice(2), [[his.path, payload]])
    const [left] = await testApp.app.db.selectFrom('staff_push').select('endpoint').execute()
    equal(left?.endpoint, his.subscription.endpoint)
  },
)
