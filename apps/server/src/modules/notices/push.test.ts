import { deepEqual, equal, match, notEqual, ok } from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openPushService, type TestBrowser } from '@duet/testkit/stand-ins/push-service.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { readOrCreatePushKeys } from '../../integrations/push/push-keys.ts'
import { createWebPush, newPushKeys } from '../../integrations/push/web-push.ts'
import { addNotice } from './add-notice.ts'

const service = await openPushService()
after(() => service.close())
/** Nothing listens there any more. */
const closedService = await openPushService()
const closedHost = closedService.host
await closedService.close()
const push = createWebPush({
  keys: newPushKeys(),
  subject: 'mailto:operator@duet.example',
  hosts: [service.host, closedHost],
  agent: service.agent,
})
const pushStory = story.with({ push })

const subscribe = (user: TestUser, { subscription }: TestBrowser) =>
  user.act('UPDATE_PUSH', { subscription })
const notify = (testApp: TestApp, user: TestUser) =>
  testApp.app.transact((tx) =>
    addNotice(tx, { user_id: user.id, kind: 'security', facts: { what: 'password' } }),
  )
/** The messages that this browser has taken so far. */
async function takenBy(testApp: TestApp, { path }: TestBrowser) {
  await testApp.settle()
  return service.taken.filter((one) => one.path === path)
}
const subscriptions = async ({ app }: TestApp) =>
  (await app.db.selectFrom('push_subscriptions').select('user_id').execute()).length
const unreachable = async ({ app }: TestApp) =>
  (
    await app.db
      .selectFrom('push_subscriptions')
      .select('user_id')
      .where('unreachable_since', 'is not', null)
      .execute()
  ).length

pushStory(
  'a notice reaches the browser encrypted and signed, with its sentence and its page',
  async ({ testApp, boris }) => {
    const browser = service.browser()
    await subscribe(boris, browser)
    await notify(testApp, boris)
    const [message, ...others] = await takenBy(testApp, browser)
    deepEqual(others, [])
    const { body, url, lang, dir } = message!.payload
    deepEqual(
      [body, url, lang, dir],
      ['Your password was changed', '/profile/#devices', 'en', 'ltr'],
    )
    ok(message!.ttl > 0 && message!.ttl <= 48 * 3600)
    deepEqual(service.wrong, [])
  },
)

pushStory(
  'the topic that a push service reads is opaque, and differs for each user',
  async ({ testApp, boris, carl }) => {
    const [his, carls] = [service.browser(), service.browser()]
    await subscribe(boris, his)
    await subscribe(carl, carls)
    await notify(testApp, boris)
    await notify(testApp, carl)
    const topics = []
    for (const browser of [his, carls]) topics.push((await takenBy(testApp, browser))[0]!.topic!)
    for (const topic of topics) match(topic, /^[\w-]{32}$/)
    notEqual(topics[0], topics[1])
  },
)

pushStory(
  'no message goes to a browser that is switched off, logged out or takes none any more',
  async ({ testApp, boris, carl, david }) => {
    const [off, out, none] = [service.browser(), service.browser(), service.browser()]
    await subscribe(boris, off)
    await boris.act('UPDATE_PROFILE', { noty_push: false })
    await subscribe(carl, out)
    await carl.act('LOGOUT', {})
    await subscribe(david, none)
    await david.act('UPDATE_PUSH', { subscription: null })
    for (const user of [boris, carl, david]) await notify(testApp, user)
    for (const browser of [off, out, none]) deepEqual(await takenBy(testApp, browser), [])
  },
)

pushStory(
  'a browser that another user signs in with shows nothing of the user before',
  async ({ testApp, boris, carl }) => {
    const browser = service.browser()
    await subscribe(boris, browser)
    await subscribe(carl, browser)
    await subscribe(carl, browser)
    equal(await subscriptions(testApp), 1)
    await notify(testApp, boris)
    deepEqual(await takenBy(testApp, browser), [])
    await notify(testApp, carl)
    equal((await takenBy(testApp, browser)).length, 1)
  },
)

pushStory(
  'a browser that is gone is forgotten, and one whose service is busy is tried again',
  async ({ testApp, boris, carl }) => {
    const [gone, busy] = [service.browser(), service.browser()]
    await subscribe(boris, gone)
    await subscribe(carl, busy)
    service.answerWith(410)
    await notify(testApp, boris)
    await testApp.settle()
    equal(await subscriptions(testApp), 1)
    service.answerWith(503)
    await notify(testApp, carl)
    await testApp.settle()
    service.answerWith(201)
    deepEqual(await takenBy(testApp, busy), [])
    await testApp.advance('1 min')
    await testApp.running.outbox.poll()
    equal((await takenBy(testApp, busy)).length, 1)
  },
)

pushStory(
  'a browser whose address answers nothing for a day is forgotten with its messages',
  async ({ testApp, boris, carl }) => {
    const [dead, back] = [service.browser(), service.browser()]
    await subscribe(carl, back)
    await subscribe(boris, {
      ...dead,
      subscription: { ...dead.subscription, endpoint: `https://${closedHost}/send/1` },
    })
    // Its address changes within the day: the time begins again.
    await testApp.app.db
      .updateTable('push_subscriptions')
      .set({ endpoint: `https://${closedHost}/send/2` })
      .where('user_id', '=', carl.id)
      .execute()
    for (const user of [boris, carl]) await notify(testApp, user)
    await testApp.settle()
    equal(await unreachable(testApp), 2)
    await testApp.leap('23 h')
    await testApp.running.outbox.poll()
    equal(await subscriptions(testApp), 2)
    await subscribe(carl, back)
    equal(await unreachable(testApp), 1)
    await testApp.leap('2 h')
    await testApp.running.outbox.poll()
    equal(await subscriptions(testApp), 1)
    deepEqual((await takenBy(testApp, back)).length, 1)
    await testApp.leap('2 h')
    await testApp.running.outbox.poll()
    const rows = await testApp.app.db.selectFrom('outbox').select(['kind', 'done_at']).execute()
    ok(rows.filter(({ kind }) => kind === 'push').every(({ done_at }) => done_at !== null))
  },
)

pushStory(
  'a browser whose service refuses the key of the installation for three days is forgotten',
  async ({ testApp, boris }) => {
    await subscribe(boris, service.browser())
    service.answerWith(403)
    for (const [wait, left] of [
      ['1 s', 1],
      ['70 h', 1],
      ['3 h', 0],
    ] as const) {
      await testApp.leap(wait)
      await notify(testApp, boris)
      await testApp.settle()
      await testApp.running.outbox.poll()
      equal(await subscriptions(testApp), left, wait)
    }
    service.answerWith(201)
  },
)

pushStory('a browser that is reached again keeps its place', async ({ testApp, boris }) => {
  await subscribe(boris, service.browser())
  const since = testApp.clock.now()
  await testApp.app.db.updateTable('push_subscriptions').set({ unreachable_since: since }).execute()
  await notify(testApp, boris)
  await testApp.settle()
  equal(await unreachable(testApp), 0)
})

pushStory('the server calls no address but those of push services', async ({ testApp, boris }) => {
  const { keys } = service.browser().subscription
  for (const endpoint of [
    'http://fcm.googleapis.com/fcm/send/1',
    'https://fcm.googleapis.com.evil.example/1',
    'https://evilpush.apple.com/1',
    'https://fcm.googleapis.com:8443/1',
    'https://user@fcm.googleapis.com/1',
    'https://127.0.0.1/1',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost:5432/',
  ])
    await boris.isRefused('method_unavailable', () =>
      boris.act('UPDATE_PUSH', { subscription: { endpoint, keys } }),
    )
  equal(await subscriptions(testApp), 0)
  for (const endpoint of [
    'https://fcm.googleapis.com/fcm/send/1',
    'https://updates.push.services.mozilla.com/wpush/v2/1',
    'https://web.push.apple.com/1',
    'https://wns2-par02p.notify.windows.com/w/1',
  ])
    await boris.act('UPDATE_PUSH', { subscription: { endpoint, keys } })
  equal(await subscriptions(testApp), 1)
})

pushStory('keys that no browser can have are refused', async ({ testApp, boris }) => {
  const { endpoint, keys } = service.browser().subscription
  const noPoint = Buffer.alloc(65, 4).toString('base64url')
  for (const wrong of [{ p256dh: 'x' }, { p256dh: noPoint }, { auth: 'x' }, { auth: noPoint }])
    await boris.isRefused('method_unavailable', () =>
      boris.act('UPDATE_PUSH', { subscription: { endpoint, keys: { ...keys, ...wrong } } }),
    )
  equal(await subscriptions(testApp), 0)
})

pushStory(
  'a browser for which no message can be encrypted is forgotten, not tried again',
  async ({ testApp, boris }) => {
    await subscribe(boris, service.browser())
    await testApp.app.db.updateTable('push_subscriptions').set({ p256dh: 'x' }).execute()
    await notify(testApp, boris)
    await testApp.settle()
    equal(await subscriptions(testApp), 0)
    const rows = await testApp.app.db.selectFrom('outbox').select(['kind', 'done_at']).execute()
    ok(rows.every(({ done_at }) => done_at !== null))
  },
)

pushStory('the public key is told to clients, and guests cannot subscribe', async ({ gina }) => {
  deepEqual((await gina.get('system')).features.push, { on: true, key: push.public_key })
  await gina.isRefused('registered_only', () => gina.act('UPDATE_PUSH', { subscription: null }))
})

test('the keys are created once, readable by their owner only', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-push-'))
  after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'push.key')
  const keys = readOrCreatePushKeys(file, newPushKeys)
  deepEqual(readOrCreatePushKeys(file, newPushKeys), keys)
  equal(statSync(file).mode & 0o777, 0o600)
})
