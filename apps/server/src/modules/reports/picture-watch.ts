import type { App, Tx } from '../../core/app.ts'
import {
  addListedPictures,
  applyReview,
  approvedPortraits,
  findCopies,
  hideUploads,
  REPORTED_REASON,
  type PictureCopy,
  removeListed,
  unlistPictures,
} from '../media/index.ts'
import { readReportHashes, readOtherReports, uploadsToShow } from './queries.ts'
import { clearedUploads, hiddenUploads, letStayUploads } from './picture-queries.ts'
import { BY_CLOCK, namedUploads } from './rules.ts'
import { openWords } from './sealed-words.ts'
import {
  addPictures,
  forgetHashes,
  lockReport,
  markLetStay,
  markSettled,
  type ReportRow,
} from './store.ts'

const UPLOADS_AT_ONCE = 100
/** An upload that was checked just before the decision may be stored after it. */
const SETTLING_MINUTES = 60

async function findSome(
  tx: Tx,
  report: ReportRow,
  after: string | null = null,
): Promise<readonly PictureCopy[]> {
  const hashes = await readReportHashes(tx, report.report_id)
  const ids = namedUploads(openWords(tx.app, report.sealed).where)
  return findCopies(tx, { hashes, ids }, { limit: UPLOADS_AT_ONCE, after })
}

/**
 * Finds the copies of the pictures of an open report and hides them. Pictures stay shown until a person decides if staff have
 * approved them as a portrait; and until the time of the report ends if staff have let them stay before, or if too many
 * uploads were named or copied.
 */
export async function hideCopies(tx: Tx, report: ReportRow, isDue = false): Promise<void> {
  for (let after: string | null = null; ;) {
    const copies = await findSome(tx, report, after)
    await addPictures(tx, report.report_id, copies)
    const ids = copies.map(({ media_id }) => media_id)
    const shown = new Set(await approvedPortraits(tx, ids))
    for (const id of isDue ? [] : await waitingUploads(tx, report, ids)) shown.add(id)
    const hidden = ids.filter((id) => !shown.has(id))
    await hideUploads(tx, hidden, REPORTED_REASON)
    if (copies.length < UPLOADS_AT_ONCE) return
    after = ids.at(-1)!
  }
}

/** Uploads that are hidden not before the time of the report ends. */
async function waitingUploads(
  tx: Tx,
  report: ReportRow,
  ids: readonly string[],
): Promise<readonly string[]> {
  const named = namedUploads(openWords(tx.app, report.sealed).where)
  const waits = (id: string) => (named.includes(id) ? report.names_wait : report.copies_wait)
  return [...(await clearedUploads(tx, ids, report)), ...ids.filter(waits)]
}

/** The time of a report ends, and a person has still to decide about others of its pictures. */
export async function removeHidden(app: App, report_id: number): Promise<void> {
  for (;;) {
    const removed = await app.transact(async (tx) => {
      if ((await lockReport(tx, report_id))?.decided_at !== null) return 0
      const ids = await hiddenUploads(tx, report_id, UPLOADS_AT_ONCE)
      for (const id of ids)
        await applyReview(tx, { id, status: 'removed', reason: REPORTED_REASON, by: BY_CLOCK })
      return ids.length
    })
    if (removed < UPLOADS_AT_ONCE) return
  }
}

/** One step of what a decision demands of pictures. True when there was nothing more to do. */
async function settleStep(tx: Tx, report: ReportRow): Promise<boolean> {
  const { report_id } = report
  const by = report.decided_by ?? `report ${report_id}`
  if (report.decision === 'rejected') {
    const ids = await uploadsToShow(tx, report_id, UPLOADS_AT_ONCE)
    for (const id of ids) await applyReview(tx, { id, status: 'ready', reason: null, by })
    return ids.length < UPLOADS_AT_ONCE
  }
  const stays = new Set(await letStayUploads(tx, report))
  for (let after: string | null = null; ;) {
    const copies = await findSome(tx, report, after)
    await addPictures(tx, report_id, copies)
    const ids = copies.map(({ media_id }) => media_id).filter((id) => !stays.has(id))
    for (const id of ids)
      await applyReview(tx, { id, status: 'removed', reason: REPORTED_REASON, by })
    if (ids.length > 0 || copies.length < UPLOADS_AT_ONCE) return copies.length < UPLOADS_AT_ONCE
    after = copies.at(-1)!.media_id
  }
}

/** The removal of an upload was taken back: the decided reports leave it, and its picture may be uploaded again. */
export async function letStay(tx: Tx, media_id: string): Promise<void> {
  const ids = await markLetStay(tx, media_id)
  const hashes = await forgetHashes(tx, ids, media_id)
  await unlistPictures(
    tx,
    hashes,
    ids.map((id) => `report ${id}`),
  )
}

/** The first step of a decision, inside its transaction. */
export async function followDecision(tx: Tx, report: ReportRow): Promise<void> {
  const { report_id } = report
  if (report.decision === 'rejected') {
    await removeListed(tx, `report ${report_id}`)
    // The list of this report stood for other reports of the same picture too.
    for (const other of await readOtherReports(tx, report_id))
      await addListedPictures(tx, [other.hash], {
        reason: REPORTED_REASON,
        list: `report ${other.report_id}`,
      })
  }
  // A report with too many copies has not listed its pictures before.
  const hashes = (await readReportHashes(tx, report_id)).map(({ hash }) => hash)
  if (report.decision === 'upheld' && hashes.length > 0)
    await addListedPictures(tx, hashes, { reason: REPORTED_REASON, list: `report ${report_id}` })
  await settleStep(tx, report)
}

/** Goes on with the pictures of a decided report, until nothing is left to do for an hour. */
export async function settle(app: App, report: ReportRow): Promise<void> {
  while (!(await app.transact((tx) => settleStep(tx, report))));
  const until = report.decided_at!.add({ minutes: SETTLING_MINUTES })
  if (Temporal.Instant.compare(app.clock.now(), until) >= 0)
    await app.transact((tx) => markSettled(tx, report.report_id))
}
