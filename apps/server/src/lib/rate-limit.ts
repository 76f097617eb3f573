import { setNewest } from './bounded-map.ts'

/** A rate limit as a token bucket. */
export interface RateLimit {
  /** Tokens that come back per second. */
  readonly per_second: number
  /** Tokens in a full bucket. */
  readonly burst: number
}

/**
 * Token buckets by key. The port is asynchronous, because a form for several processes reads a store. The
 * memory form never fails. Callers treat an error like any other failure of the request.
 */
export interface RateLimiter {
  /** Takes a token. Returns 0, or the milliseconds until a token is free. */
  take(key: string, limit: RateLimit, nowMs: number): Promise<number>
  /** Gives a token back: what it was taken for was not what the limit is against. */
  giveBack(key: string, limit: RateLimit): Promise<void>
}

interface Bucket {
  tokens: number
  at_ms: number
}

/** The memory form, for one process. Above `keysMax` buckets, the least recently used bucket is dropped. */
export function createMemoryRateLimiter(keysMax: number): RateLimiter {
  const buckets = new Map<string, Bucket>()
  return {
    async take(key, limit, nowMs) {
      const bucket = buckets.get(key) ?? { tokens: limit.burst, at_ms: nowMs }
      setNewest(buckets, key, bucket, keysMax)
      return takeFrom(bucket, limit, nowMs)
    },
    async giveBack(key, limit) {
      const bucket = buckets.get(key)
      if (bucket) bucket.tokens = Math.min(limit.burst, bucket.tokens + 1)
    },
  }
}

/** One bucket for one owner in this process, without waiting. Returns what `RateLimiter.take` resolves to. */
export function createTokenBucket(limit: RateLimit): (nowMs: number, tokens?: number) => number {
  let bucket: Bucket | undefined
  return (nowMs, tokens) =>
    takeFrom((bucket ??= { tokens: limit.burst, at_ms: nowMs }), limit, nowMs, tokens)
}

/** Sums of fractions of a token may miss the whole by this. */
const ROUNDING_TOKENS = 1e-9

function takeFrom(bucket: Bucket, limit: RateLimit, nowMs: number, tokens = 1): number {
  // A clock that was set back must not take tokens away.
  const passedMs = Math.max(0, nowMs - bucket.at_ms)
  bucket.tokens = Math.min(limit.burst, bucket.tokens + (passedMs / 1000) * limit.per_second)
  bucket.at_ms = nowMs
  if (bucket.tokens >= tokens - ROUNDING_TOKENS) {
    bucket.tokens = Math.max(0, bucket.tokens - tokens)
    return 0
  }
  return Math.ceil(((tokens - bucket.tokens) / limit.per_second) * 1000)
}

const UNIT_SECONDS = { s: 1, min: 60, hour: 3600, day: 86_400 } as const

const parsedLimits = new Map<string, RateLimit>()

/** `'30/min'` as a limit: a bucket of 30 that fills in a minute. Throws on any other form. */
export function parseRateLimit(rate: string): RateLimit {
  let limit = parsedLimits.get(rate)
  // Rates stand in contracts: there are a handful of them, read at every request.
  if (!limit) parsedLimits.set(rate, (limit = readRateLimit(rate)))
  return limit
}

function readRateLimit(rate: string): RateLimit {
  const match = /^(\d+)\/(s|min|hour|day)$/.exec(rate)
  if (!match) throw new Error(`Impossible: a rate is written as 30/min, not ${rate}`)
  const burst = Number(match[1])
  return { burst, per_second: burst / UNIT_SECONDS[match[2] as keyof typeof UNIT_SECONDS] }
}
