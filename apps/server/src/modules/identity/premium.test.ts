import { deepEqual, equal } from 'node:assert/strict'
import { story, together } from '@duet/testkit/test-app.ts'
import { module } from '../../core/module.ts'
import { modules } from '../../modules.ts'
import type { UserId } from '../../core/ids.ts'
import { announcePremiumEnds, givePremium } from './premium.ts'

let failing: UserId | undefined
const ended: UserId[] = []
const favourites = modules.find(({ name }) => name === 'favourites')!
const subscriber = module('favourites', {
  ...favourites,
  subscribers: {
    ...favourites.subscribers,
    premium_ended: async (_tx, { user_id }) => {
      if (user_id === failing) throw new Error('no')
      ended.push(user_id)
    },
  },
})

story.with({ modules: [...modules.filter((one) => one !== favourites), subscriber] })(
  'an end of Premium that fails keeps no other back and is announced later',
  async ({ testApp, boris, carl }) => {
    for (const guy of [boris, carl]) {
      guy.wire!.socket.disconnect()
      await testApp.untilGone(guy.id)
      await testApp.duet('premium', guy.id, '--days', 1)
      await testApp.advance('1 s')
    }
    failing = boris.id
    await testApp.leap('25 h')
    await announcePremiumEnds(testApp.app)
    deepEqual(ended, [carl.id])
    failing = undefined
    await announcePremiumEnds(testApp.app)
    deepEqual(ended, [carl.id, boris.id])
    await announcePremiumEnds(testApp.app)
    equal(ended.length, 2)
  },
)

story('purchases of Premium at the same moment add up', async ({ testApp, boris }) => {
  const { app } = testApp
  const ends = await together(4, () => app.transact((tx) => givePremium(tx, boris.id, 10)))
  const last = Math.max(...ends.map((end) => end.epochMilliseconds))
  equal((last - app.clock.now().epochMilliseconds) / 86_400_000, 40)
})
