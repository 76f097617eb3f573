import { after, before, test } from 'node:test'
import { equal } from 'node:assert/strict'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { meet } from '@duet/testkit/browser/browser-user.ts'
import { CLEAR, SlowLink } from './call-engine/slow-link.ts'
import { latestCall } from './money/ledger.ts'

/** S4 in the whole product. The long form by `npm run proof lossy-calls`. */
const LOSSY_MS = process.env.PROOF === 'long' ? 60_000 : 3_000
const DARK_MS = 3_000
const LOSSY = { ...CLEAR, loss: 0.1, delay_ms: 200 }

let testApp: BrowserTestApp
before(async () => {
  testApp = await startBrowserTestApp({ search_grace: '0', rematch_minutes: '0', paid_after: '3' })
})
after(() => testApp.close())

test('a call lives through a lossy network and through three dark seconds', async () => {
  const [sofia, alex] = await Promise.all([testApp.enter('Sofia'), testApp.enter('Alex')])
  const link = new SlowLink(CLEAR)
  try {
    for (const { page } of [sofia, alex]) await link.attach(page)
    await meet(sofia, alex)
    const { session_id } = await latestCall(testApp, alex)
    link.weather = LOSSY
    await sleep(LOSSY_MS)
    for (const person of [sofia, alex]) await person.seesMovingPicture()
    link.weather = { ...CLEAR, loss: 1 }
    await sleep(DARK_MS)
    link.weather = CLEAR
    const clearMs = performance.now()
    await alex.seesMovingPicture()
    console.log(
      `lossy-calls: ${LOSSY_MS} ms of loss; the picture came back ${(performance.now() - clearMs).toFixed(0)} ms after the dark; load ${loadavg()[0]!.toFixed(1)}`,
    )
    const call = await latestCall(testApp, alex)
    equal(call.session_id, session_id)
    equal(call.status, 'running')
  } finally {
    await link.close()
  }
})
