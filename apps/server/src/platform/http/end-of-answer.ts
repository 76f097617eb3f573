import type { IncomingMessage, ServerResponse } from 'node:http'

/** A reader who takes nothing for this long would keep a file in memory or open. */
const UNREAD_MS = 30_000
/** A photo on a slow line has arrived by then; longer than that no sender waits for a refusal. */
const DISCARDED_MS = 10_000

/**
 * Ends an answer whose reader takes nothing. A time-out of the socket also comes while this server has nothing to send: such
 * an answer goes on.
 */
export function endUnread(
  answer: Pick<ServerResponse, 'setTimeout' | 'writableLength' | 'destroy'>,
  unreadMs = UNREAD_MS,
): void {
  answer.setTimeout(unreadMs, () => {
    if (answer.writableLength > 0) answer.destroy()
  })
}

/**
 * Reads the rest of a body whose request is answered already, keeping nothing. Many clients read the answer only after they
 * have sent everything; one that takes too long is cut off.
 */
export function discardRest(
  request: Pick<IncomingMessage, 'unpipe' | 'resume' | 'once' | 'destroy'>,
): void {
  const timer = setTimeout(() => request.destroy(), DISCARDED_MS)
  timer.unref()
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer))
  request.unpipe()
  request.resume()
}
