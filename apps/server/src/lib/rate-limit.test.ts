import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import { createMemoryRateLimiter, parseRateLimit } from './rate-limit.ts'

test('a rate is a bucket that refills in its period', () => {
  deepEqual(parseRateLimit('30/min'), { burst: 30, per_second: 0.5 })
  deepEqual(parseRateLimit('20/day'), { burst: 20, per_second: 20 / 86_400 })
  throws(() => parseRateLimit('often'), /30\/min/)
})

test('a token is back exactly when the returned wait is over', async () => {
  const limiter = createMemoryRateLimiter(10)
  const limit = parseRateLimit('2/min')
  equal(await limiter.take('a', limit, 0), 0)
  equal(await limiter.take('a', limit, 0), 0)
  const waitMs = await limiter.take('a', limit, 0)
  equal(waitMs, 30_000)
  ok((await limiter.take('a', limit, waitMs - 1)) > 0)
  equal(await limiter.take('a', limit, waitMs), 0)
})

test('never grants more than the burst plus the refill, at any sequence of times', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 200 }),
      async (pausesMs) => {
        const limiter = createMemoryRateLimiter(1)
        const limit = { burst: 5, per_second: 2 }
        let nowMs = 0
        let taken = 0
        for (const pauseMs of pausesMs) {
          nowMs += pauseMs
          if ((await limiter.take('a', limit, nowMs)) === 0) taken += 1
          ok(taken <= limit.burst + (nowMs / 1000) * limit.per_second + 1e-6)
        }
      },
    ),
    { seed: testSeed() },
  )
})

test('a clock that is set back neither adds nor removes tokens', async () => {
  const limiter = createMemoryRateLimiter(1)
  const limit = parseRateLimit('1/s')
  equal(await limiter.take('a', limit, 10_000), 0)
  ok((await limiter.take('a', limit, 5000)) > 0)
  equal(await limiter.take('a', limit, 6001), 0)
})

test('a flood of new keys drops the oldest bucket and never grows the memory', async () => {
  const limiter = createMemoryRateLimiter(2)
  const limit = parseRateLimit('1/day')
  await limiter.take('a', limit, 0)
  await limiter.take('b', limit, 0)
  await limiter.take('a', limit, 0)
  await limiter.take('c', limit, 0)
  ok((await limiter.take('a', limit, 0)) > 0, 'used recently: kept')
  equal(await limiter.take('b', limit, 0), 0, 'used longest ago: dropped')
})
