/** A delivery of the outbox that takes longer has failed; below the lease of its row. */
export const DELIVERY_TIMEOUT_MS = 15_000

/** Rejects, and aborts the signal, when the work takes longer than a delivery may. */
export async function withinDeliveryTime(
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const limit = new AbortController()
  const { promise: timedOut, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    const error = new Error(`not delivered within ${DELIVERY_TIMEOUT_MS} ms`)
    limit.abort(error)
    reject(error)
  }, DELIVERY_TIMEOUT_MS)
  try {
    await Promise.race([work(limit.signal), timedOut])
  } finally {
    clearTimeout(timer)
  }
}
