/** Returns a generator of numbers in [0, 1); the same seed gives the same numbers (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * The seed of a test. In `npm test` it is fixed, so that a failure always has a cause in the code. `npm run proof` sets a
 * random `SEED` and prints it.
 */
export function testSeed(): number {
  return Number(process.env.SEED ?? 20_261)
}
