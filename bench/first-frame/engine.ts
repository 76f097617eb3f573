import type {} from '../../tests/journeys/call-engine/page.ts'
import { hop } from '../../tests/journeys/call-engine/two-pages.ts'
import type { Meeting } from '../../tests/journeys/call-engine/two-pages.ts'

/**
 * The product's engine alone, between the same pages and over the same kind of relay as the bare connection. The result
 * is the time in ms from `new_session` at the server to the later of the two first frames. Every call of a meeting
 * except the first is a "Next": the servers are known, and the offer leaves with JOIN_SESSION. A prepared call begins with
 * the connection that both pages have completed behind the offer.
 */
export async function engineFirstFrame(
  { relay, anna, boris }: Meeting,
  hopMs: number,
  { isPrepared = false } = {},
): Promise<number> {
  const sides = [
    { page: anna.page, initiator: true },
    { page: boris.page, initiator: false },
  ]
  const prepared = isPrepared ? await relay.prepare() : undefined
  await Promise.all(sides.map(({ page }) => page.evaluate(() => duet.engine.end())))
  relay.nextCall(prepared?.session_guid)
  const { session_id, first_guid: session_guid } = relay
  const matchedMs = performance.timeOrigin + performance.now()
  const connected = sides.map(async ({ page, initiator }) => {
    await hop(hopMs)
    return page.evaluate(
      (session) =>
        new Promise<number>((resolve) => {
          const stop = duet.engine.subscribe(() => {
            if (duet.engine.getSnapshot().phase !== 'connected') return
            stop()
            resolve(performance.timeOrigin + performance.now())
          })
          duet.engine.start(session)
        }),
      { session_id, session_guid, initiator, prepare_id: prepared?.prepare_id },
    )
  })
  return Math.max(...(await Promise.all(connected))) - matchedMs
}
