import { deepEqual, equal, ok } from 'node:assert/strict'
import { after } from 'node:test'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { openPushService } from '@duet/testkit/stand-ins/push-service.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { createWebPush, newPushKeys } from '../../../integrations/push/web-push.ts'
import { reachAway } from './reach-away.ts'

const service = await openPushService()
after(() => service.close())
const push = createWebPush({
  keys: newPushKeys(),
  subject: 'mailto:operator@duet.example',
  hosts: [service.host],
  agent: service.agent,
})
const pushStory = story.with({ push })

/** The user's page is closed. */
async function leave(testApp: TestApp, user: TestUser): Promise<void> {
  user.wire!.socket.disconnect()
  await testApp.untilGone(user.id)
}

/** Subscribes a browser of this user; returns what it has taken so far. */
async function fetchBrowser(testApp: TestApp, user: TestUser) {
  const { subscription, path } = service.browser()
  await user.act('UPDATE_PUSH', { subscription })
  return async () => {
    await testApp.settle()
    return service.taken.filter((one) => one.path === path).map(({ payload }) => payload)
  }
}

pushStory(
  'a message reaches a browser without a page once until it is read, and without its text',
  async ({ testApp, boris, anna, vera }) => {
    await testApp.setting('first_writes_unanswered', '10')
    const taken = await fetchBrowser(testApp, boris)
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'while he is here')
    await boris.act('CLEAN_DIALOG', { dialogId })
    deepEqual(await taken(), [])
    await leave(testApp, boris)
    for (const text of ['secret one', 'secret two']) await writeMessage(anna, dialogId, text)
    const [message, ...others] = await taken()
    deepEqual(others, [])
    deepEqual(
      [message!.body, message!.url, message!.tag],
      ['Anna wrote to you', `/messenger/${dialogId}`, `dialog-${dialogId}`],
    )
    ok(!JSON.stringify(message).includes('secret'))
    // Another dialog has a message of its own.
    await vera.act('LIKING_REACTION', { user_id: boris.id, like: true })
    equal((await taken())[1]!.body, 'Vera likes you')
    await boris.auth()
    const { messages } = await boris.act('GET_DIALOG_MESSAGES', { dialogId })
    await boris.act('READ_MESSAGE', {
      dialogId,
      message_ids: messages.map(({ message_id }) => message_id),
    })
    await leave(testApp, boris)
    await writeMessage(anna, dialogId, 'third')
    equal((await taken()).length, 3)
  },
)

pushStory(
  'no message goes to a browser whose user switched push off',
  async ({ testApp, boris, anna }) => {
    const taken = await fetchBrowser(testApp, boris)
    await boris.act('UPDATE_PROFILE', { noty_push: false })
    await leave(testApp, boris)
    await writeMessage(anna, await dialogBetween(anna, boris), 'Hello')
    deepEqual(await taken(), [])
  },
)

story(
  'a user who is away gets one mail a day about unread messages, without their texts',
  async ({ testApp, boris, carl, anna, vera }) => {
    const address = await testApp.confirmEmail(boris)
    await testApp.confirmEmail(carl)
    await carl.act('UPDATE_PROFILE', { noty_email: false })
    for (const guy of [boris, carl]) await leave(testApp, guy)
    for (const girl of [anna, vera]) {
      await writeMessage(girl, await dialogBetween(girl, boris), 'secret')
      await writeMessage(girl, await dialogBetween(girl, carl), 'secret')
    }
    const digest = () => testApp.app.jobs.run('messages digest')
    await digest()
    deepEqual(await testApp.mails(), [])
    await testApp.leap('3 h')
    await digest()
    await writeMessage(anna, await dialogBetween(anna, boris), 'secret')
    await testApp.leap('3 h')
    await digest()
    const [mail, ...others] = await testApp.mails()
    deepEqual(others, [])
    deepEqual([mail!.to, mail!.subject], [address, '2 things you missed on Duet'])
    ok(mail!.text.includes('Vera wrote to you') && mail!.text.includes('/messenger/'))
    ok(!mail!.text.includes('secret') && mail!.unsubscribe_url)
    await testApp.leap('20 h')
    await digest()
    equal((await testApp.mails()).length, 2)
  },
)

story('a user who has read gets no mail', async ({ testApp, boris, anna }) => {
  await testApp.confirmEmail(boris)
  await leave(testApp, boris)
  const dialogId = await dialogBetween(anna, boris)
  await writeMessage(anna, dialogId, 'Hello')
  await boris.auth()
  await boris.act('CLEAN_DIALOG', { dialogId })
  await leave(testApp, boris)
  await testApp.leap('3 h')
  await testApp.app.jobs.run('messages digest')
  deepEqual(await testApp.mails(), [])
})

pushStory(
  'a message that came while the page was open and stays unread is pushed and mailed after it is closed',
  async ({ testApp, boris, anna }) => {
    await testApp.confirmEmail(boris)
    const taken = await fetchBrowser(testApp, boris)
    await writeMessage(anna, await dialogBetween(anna, boris), 'Hello')
    await boris.heard('messenger_message')
    await leave(testApp, boris)
    await testApp.advance('10 s')
    deepEqual(await taken(), [])
    await testApp.advance('15 s')
    deepEqual(
      (await taken()).map(({ body }) => body),
      ['Anna wrote to you'],
    )
    await testApp.leap('3 h')
    await testApp.app.jobs.run('messages digest')
    equal((await testApp.mails()).length, 1)
  },
)

pushStory(
  'a browser whose login has ended keeps no later message from a browser',
  async ({ testApp, boris, anna }) => {
    await fetchBrowser(testApp, boris)
    await leave(testApp, boris)
    await testApp.app.db.updateTable('logins').set({ ended_at: testApp.clock.now() }).execute()
    await writeMessage(anna, await dialogBetween(anna, boris), 'Hello')
    const views = testApp.app.db.selectFrom('dialog_members').select('pushed')
    deepEqual(
      (await views.execute()).map(({ pushed }) => pushed),
      [false, false],
    )
  },
)

pushStory(
  'a missed call is told also where a message of the dialog is unread',
  async ({ testApp, boris, anna }) => {
    const taken = await fetchBrowser(testApp, anna)
    const dialogId = await dialogBetween(anna, boris)
    await writeMessage(anna, dialogId, 'write to me')
    await leave(testApp, anna)
    await writeMessage(boris, dialogId, 'are you there?')
    equal((await taken()).length, 1)
    const { message_id } = await writeMessage(boris, dialogId, 'and now?')
    const unread = { dialog_id: dialogId, message_id, user_id: anna.id }
    const reach = (isCall: boolean) =>
      testApp.app.transact((tx) => reachAway(tx, [{ ...unread, is_call: isCall }]))
    await reach(false)
    equal((await taken()).length, 1)
    await reach(true)
    equal((await taken()).length, 2)
  },
)
