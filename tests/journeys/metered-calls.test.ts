import { after, afterEach, before, test } from 'node:test'
import { equal, ok } from 'node:assert/strict'
import { loadavg } from 'node:os'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { type BrowserUser, meet } from '@duet/testkit/browser/browser-user.ts'
import { until } from '@duet/testkit/browser/until.ts'
import { closedCall, fetchUnits, latestCall, settledExactly } from './money/ledger.ts'

/** M13: real calls with every end that a call has. The long form by `npm run proof metered-calls`. */
const CALLS = Number(process.env.CALLS ?? (process.env.PROOF === 'long' ? 50 : 1))
const PAID_BEFORE_END = 3

interface Couple {
  readonly sofia: BrowserUser
  readonly alex: BrowserUser
}
const ENDS: readonly [name: string, end: (couple: Couple) => Promise<void>][] = [
  ['his page closes', ({ alex }) => alex.closesTab()],
  ['her network is cut', ({ sofia }) => sofia.page.context().setOffline(true)],
  ['he leaves', ({ alex }) => alex.presses('End the call')],
  ['she leaves', ({ sofia }) => sofia.presses('End the call')],
  [
    'she covers her camera, and he leaves',
    async ({ sofia, alex }) => {
      await sofia.presses('Turn the camera off')
      await alex.meterIs('paused')
      await alex.presses('End the call')
    },
  ],
]

let testApp: BrowserTestApp
before(async () => {
  testApp = await startBrowserTestApp({
    paid_after: '3',
    partner_grace: '4',
    search_grace: '0',
    rematch_minutes: '0',
    pair_free_start: '1000',
    free_starts_a_day: '1000',
  })
  await testApp.db.updateTable('free_quotas').set({ seconds: 0 }).execute()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

test(`real calls (${CALLS}) charge the seconds in which both saw each other, and nothing after their end`, async () => {
  const lateMs: number[] = []
  for (let at = 0; at < CALLS; at += 1) {
    const [name, end] = ENDS[at % ENDS.length]!
    // A girl who left a call is on a break.
    await testApp.db.updateTable('search_rests').set({ on_break: false }).execute()
    const couple = { sofia: await testApp.enter('Sofia'), alex: await testApp.enter('Alex') }
    const { sofia, alex } = couple
    const his = await fetchUnits(testApp, alex)
    const hers = await fetchUnits(testApp, sofia)
    await meet(sofia, alex)
    await until('paid seconds', async () => {
      const { paid_seconds } = await latestCall(testApp, alex)
      return paid_seconds >= PAID_BEFORE_END
    })
    await end(couple)
    const endedAt = testApp.clock.now()
    const call = await closedCall(testApp, alex)
    const { paid_seconds, free_seconds, good_ms, connected_at, closed_at } = call
    equal(paid_seconds, Math.floor(good_ms / 1000) - free_seconds, name)
    const wallMs = closed_at!.since(connected_at!).total('milliseconds')
    ok(good_ms <= wallMs, `${name}: ${good_ms} ms were good, the call had ${wallMs}`)
    await settledExactly(testApp, call, {
      his: (await fetchUnits(testApp, alex)) - his,
      hers: (await fetchUnits(testApp, sofia)) - hers,
    })
    lateMs.push(good_ms - endedAt.since(connected_at!).total('milliseconds'))
    await testApp.empty()
  }
  console.log(
    `metered-calls: ${CALLS} calls; good time beyond the end at most ${Math.max(...lateMs).toFixed(0)} ms; load ${loadavg()[0]!.toFixed(1)}`,
  )
})
