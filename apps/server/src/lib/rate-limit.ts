/**
 * How often somebody may do something: token buckets in bounded memory.
 * Pure: time comes in as milliseconds.
 */
export interface RateLimit {
  /** Tokens that come back a second. */
  readonly per_second: number
  /** Tokens in a full bucket. */
  readonly burst: number
}

interface Bucket {
  tokens: number
  at_ms: number
}

export interface RateLimiter {
  /** Takes a token. 0: taken; otherwise how many milliseconds until there is one. */
  take(key: string, pace: RateLimit, now_ms: number): number
}

/**
 * Buckets by key. Above `keys_max` the ones that were touched longest ago are forgotten: whoever floods with new keys
 * can make the server forget, never make it grow.
 */
export function createRateLimiter(keys_max: number): RateLimiter {
  const buckets = new Map<string, Bucket>()
  return {
    take(key, pace, now_ms) {
      const bucket = buckets.get(key) ?? { tokens: pace.burst, at_ms: now_ms }
      buckets.delete(key)
      buckets.set(key, bucket)
      if (buckets.size > keys_max) buckets.delete(buckets.keys().next().value!)
      return takeFrom(bucket, pace, now_ms)
    },
  }
}

/** One bucket for one owner. Answers as `Rates.take`. */
export function createTokenBucket(pace: RateLimit): (now_ms: number) => number {
  let bucket: Bucket | undefined
  return (now_ms) => takeFrom((bucket ??= { tokens: pace.burst, at_ms: now_ms }), pace, now_ms)
}

/** Sums of fractions of a token may miss the whole by this. */
const rounding = 1e-9

function takeFrom(bucket: Bucket, pace: RateLimit, now_ms: number): number {
  // A clock that was set back must not take tokens away.
  const passed_ms = Math.max(0, now_ms - bucket.at_ms)
  bucket.tokens = Math.min(pace.burst, bucket.tokens + (passed_ms / 1000) * pace.per_second)
  bucket.at_ms = now_ms
  if (bucket.tokens >= 1 - rounding) {
    bucket.tokens = Math.max(0, bucket.tokens - 1)
    return 0
  }
  return Math.ceil(((1 - bucket.tokens) / pace.per_second) * 1000)
}

const seconds = { s: 1, min: 60, hour: 3600, day: 86_400 } as const

const paces = new Map<string, RateLimit>()

/** `'30/min'` as a pace: a bucket of 30 that fills in a minute. */
export function parseRateLimit(rate: string): RateLimit {
  let pace = paces.get(rate)
  // Rates stand in contracts: there are a handful, asked at every call.
  if (!pace) paces.set(rate, (pace = readRateLimit(rate)))
  return pace
}

function readRateLimit(rate: string): RateLimit {
  const match = /^(\d+)\/(s|min|hour|day)$/.exec(rate)
  if (!match) throw new Error(`Impossible: a rate is written as 30/min, not ${rate}`)
  const burst = Number(match[1])
  return { burst, per_second: burst / seconds[match[2] as keyof typeof seconds] }
}
