import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createRateLimiter, parseRateLimit } from './rate-limit.ts'

test('a rate is a bucket that fills in its period', () => {
  deepEqual(parseRateLimit('30/min'), { burst: 30, per_second: 0.5 })
  deepEqual(parseRateLimit('20/day'), { burst: 20, per_second: 20 / 86_400 })
  throws(() => parseRateLimit('often'), /30\/min/)
})

test('a token is back exactly when the answer said', () => {
  const rates = createRateLimiter(10)
  const pace = parseRateLimit('2/min')
  equal(rates.take('a', pace, 0), 0)
  equal(rates.take('a', pace, 0), 0)
  const wait_ms = rates.take('a', pace, 0)
  equal(wait_ms, 30_000)
  ok(rates.take('a', pace, wait_ms - 1) > 0)
  equal(rates.take('a', pace, wait_ms), 0)
})

test('never more than the burst and what came back since, whatever the times', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 200 }), (pauses_ms) => {
      const rates = createRateLimiter(1)
      const pace = { burst: 5, per_second: 2 }
      let now_ms = 0
      let taken = 0
      for (const pause_ms of pauses_ms) {
        now_ms += pause_ms
        if (rates.take('a', pace, now_ms) === 0) taken += 1
        ok(taken <= pace.burst + (now_ms / 1000) * pace.per_second + 1e-6)
      }
    }),
  )
})

test('a clock set back gives nothing and takes nothing', () => {
  const rates = createRateLimiter(1)
  const pace = parseRateLimit('1/s')
  equal(rates.take('a', pace, 10_000), 0)
  ok(rates.take('a', pace, 5000) > 0)
  equal(rates.take('a', pace, 6001), 0)
})

test('flooding with new keys makes it forget, never grow', () => {
  const rates = createRateLimiter(2)
  const pace = parseRateLimit('1/day')
  rates.take('a', pace, 0)
  rates.take('b', pace, 0)
  rates.take('a', pace, 0)
  rates.take('c', pace, 0)
  ok(rates.take('a', pace, 0) > 0, 'touched lately: remembered')
  equal(rates.take('b', pace, 0), 0, 'touched longest ago: forgotten')
})
