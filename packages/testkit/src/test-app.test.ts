import { equal, ok, rejects } from 'node:assert/strict'
import { test } from 'node:test'
import { answerBeyond, beyondContract } from './beyond-contract.ts'
import { openTestApp, story, together } from './test-app.ts'

story(
  'adding a favourite repeatedly creates one row and one notification',
  async ({ boris, anna }) => {
    const acks = await together(20, () => boris.act('ADD_FAVOURITE', { user_id: anna.id }))
    equal(new Set(acks.map((ack) => ack.favourite_id)).size, 1)
    await anna.heard('added_your_favorites', { user_id: boris.id }, { times: 1 })
    equal((await boris.get('count_favourites')).count, 1)
  },
)

story('a visitor has an identity at once', async ({ testApp }) => {
  const guest = await testApp.guest()
  ok(guest.id > 0)
  await guest.isRefused('registered_only', () => guest.act('ADD_FAVOURITE', { user_id: 1 }))
})

test('a field beyond its contract, in an event, a refusal or a change, fails the test', async () => {
  const payload = { favourite_id: 1, user_id: 2, change_id: 3 }
  const event = 'add_favourite_success'
  equal(beyondContract('/socket.io', event, payload), undefined)
  ok(beyondContract('/socket.io', event, { ...payload, email: 'x' })?.endsWith('says email'))
  const changes = [{ change_id: 3, event, payload: { ...payload, phone: 'x' } }]
  equal(answerBeyond('GET_CHANGES', { data: { changes } }).length, 1)
  const failure = { code: 305, name: 'not_found', message: 'Not found' } as const
  equal(answerBeyond('GET', { error: { ...failure, additional: { user_id: 2 } } }).length, 1)

  const testApp = await openTestApp()
  await testApp.guest()
  const leak = { woman: 1, email: 'anna@duet.example' }
  for (const socket of testApp.running.sockets()) socket.emit('online.count', leak)
  await testApp.settle()
  await rejects(testApp.close(), /online.count says email/)
})
