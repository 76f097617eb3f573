import { deepEqual, equal } from 'node:assert/strict'
import { productDay, startOfProductDay } from '../../lib/clock.ts'
import { story } from '@duet/testkit/test-app.ts'
import { hasFreeStart, getQuota, consumeQuota, consumeFreeStart } from './index.ts'

story(
  'a guy gets the free quota at his registration, a girl and a guest get none',
  async ({ boris, anna, gina }) => {
    equal((await boris.comeBack()).free_quota, 60)
    equal((await anna.comeBack()).free_quota, 0)
    equal((await gina.comeBack()).free_quota, 0)
  },
)

story(
  'consumes the quota to its end and not beyond, and notifies the guy of each use',
  async ({ testApp, boris }) => {
    const take = (seconds: number) =>
      testApp.app.transact((tx) => consumeQuota(tx, boris.id, seconds))
    await take(25)
    await boris.heard('free_quota', { seconds: 35 }, { times: 1 })
    await Promise.all([take(20), take(20), take(20)])
    equal(await getQuota(testApp.app.db, boris.id), 0)
    await boris.heard('free_quota', { seconds: 0 }, { times: 1 })
    await take(5)
    await boris.heard('free_quota', {}, { times: 3 })
  },
)

story(
  'consumes and notifies nothing when the transaction is rolled back',
  async ({ testApp, boris }) => {
    await testApp.app
      .transact(async (tx) => {
        await consumeQuota(tx, boris.id, 25)
        throw new Error('no')
      })
      .catch(() => {})
    equal(await getQuota(testApp.app.db, boris.id), 60)
    await boris.notHeard('free_quota')
  },
)

story(
  'a pair starts free once a day, and a guy has a daily limit over all pairs',
  async ({ testApp, boris, anna, vera, clara }) => {
    await testApp.setting('free_starts_a_day', '2')
    const { app } = testApp
    const free = (girl_id: number, now = app.clock.now()) =>
      hasFreeStart(app, app.db, { guy_id: boris.id, girl_id, at: now })
    const use = (girl_id: number) => app.transact((tx) => consumeFreeStart(tx, boris.id, girl_id))
    await Promise.all([use(anna.id), use(anna.id)])
    deepEqual([await free(anna.id), await free(vera.id)], [false, true])
    await use(vera.id)
    deepEqual([await free(vera.id), await free(clara.id)], [false, false])
    const midnight = startOfProductDay(productDay(app.clock.now()).add({ days: 1 }))
    equal(await free(clara.id, midnight.subtract({ milliseconds: 1 })), false)
    deepEqual([await free(anna.id, midnight), await free(clara.id, midnight)], [true, true])
  },
)
