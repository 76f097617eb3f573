import { deepEqual, equal, ok } from 'node:assert/strict'
import { balances } from '@duet/server/modules/ledger/index.ts'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import type { BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'

export function latestCall(testApp: BrowserTestApp, he: BrowserUser) {
  return testApp.db
    .selectFrom('video_sessions')
    .selectAll()
    .where('guy_id', '=', he.user_id)
    .orderBy('session_id', 'desc')
    .executeTakeFirstOrThrow()
}

/** The call of his that was closed last, as soon as it is. */
export function closedCall(testApp: BrowserTestApp, he: BrowserUser) {
  return until(`the end of ${he.nick}'s call`, async () => {
    const call = await latestCall(testApp, he)
    return call.status === 'closed' && call
  })
}

export async function fetchUnits(testApp: BrowserTestApp, person: BrowserUser): Promise<bigint> {
  return (await balances(testApp.db, person.user_id)).balance_units
}

/** Checks that a closed call moved exactly the price of its paid seconds, and that every balance agrees with the ledger. */
export async function settledExactly(
  testApp: BrowserTestApp,
  call: Awaited<ReturnType<typeof latestCall>>,
  moved: { his: bigint; hers: bigint },
): Promise<void> {
  const paid = BigInt(call.paid_seconds)
  equal(moved.his, -((call.price_public * paid) / 60n))
  equal(moved.hers, (call.earn_public * paid) / 60n)
  ok(call.closed_at)
  deepEqual(
    await testApp.duet('ledger', 'check').then((answer) => (answer as { ok: boolean }).ok),
    true,
  )
}
