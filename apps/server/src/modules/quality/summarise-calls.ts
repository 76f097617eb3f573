import type { App } from '../../core/app.ts'
import { callsClosedBefore } from '../calls/index.ts'
import { openSides, readEvents } from './queries.ts'
import { summarise } from './rules/summary.ts'
import { type SideKey, storeSummary } from './store.ts'

/** The last reports of a page arrive a moment after the call. */
const LATE_SECONDS = 15
const PAGE_SIDES = 1_000

/** Sums up every side whose call has ended. A side is summed up once; a crash leaves it to the next run. */
export async function summariseCalls(app: App): Promise<void> {
  const before = app.clock.now().subtract({ seconds: LATE_SECONDS })
  let above = 0
  for (;;) {
    const sides = await openSides(app.db, above, PAGE_SIDES)
    if (sides.length === 0) return
    const ids = [...new Set(sides.map(({ session_id }) => session_id))]
    const closed = new Set(await callsClosedBefore(app.db, ids, before))
    for (const side of sides) if (closed.has(side.session_id)) await summariseSide(app, side)
    // The second side of the last call may be on the next page.
    above = sides.length < PAGE_SIDES ? Number.MAX_SAFE_INTEGER : ids.at(-1)! - 1
    if (above === Number.MAX_SAFE_INTEGER) return
  }
}

async function summariseSide(app: App, side: SideKey): Promise<void> {
  const summary = summarise(await readEvents(app.db, side))
  await app.transact((tx) => storeSummary(tx, side, summary ?? {}))
}
