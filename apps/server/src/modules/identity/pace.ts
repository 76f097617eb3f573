import { makeRates, paceOf } from '../../lib/rate.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../context.ts'
import { perApp } from '../../platform/module.ts'

const keys_max = 100_000
const rates = perApp(() => makeRates(keys_max))

/** Takes one try at a password, or says how long to wait. The owner is slowed like everybody, never locked out. */
export function takeOrWait(app: App, key: string, rate: string): void {
  const wait_ms = rates(app).take(key, paceOf(rate), app.clock.now().epochMilliseconds)
  if (wait_ms > 0) refuse('too_many', { retry_after: Math.ceil(wait_ms / 1000) })
}
