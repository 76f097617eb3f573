import { equal, ok } from 'node:assert/strict'
import { story, together } from './test-app.ts'

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
