import { Readable } from 'node:stream'
import type { Answer, Query } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import { createPort } from '../../core/port.ts'
import { RawResponse } from '../../core/raw-response.ts'
import type { Staff } from '../../core/viewer.ts'
import { wireTime } from '../../lib/clock.ts'
import type { Entry } from './chain.ts'
import { allEntries, exportedLine, readEntries, type SearchedEntries } from './queries.ts'
import { verifyLog } from './verify-log.ts'
import { writeAudit } from './write-audit.ts'

/** The addresses of members of staff, also of those who left; the module `staff` provides them. */
export const staffEmails = createPort<
  (db: Db, ids: readonly number[]) => Promise<ReadonlyMap<number, string>>
>('the addresses of staff', async () => new Map())

/** GET v2/manager/audit */
export async function auditPage(
  app: App,
  _staff: Staff,
  { 'per-page': limit, before, ...asked }: Query<'GET v2/manager/audit'>,
): Promise<Answer<'GET v2/manager/audit'>> {
  const found = await readEntries(app.db, { ...readAsked(asked), before }, limit + 1)
  const rows = found.slice(0, limit)
  const ids = rows.flatMap(({ staff_id }) => staff_id ?? [])
  const emails = await staffEmails.get(app)(app.db, [...new Set(ids)])
  return { items: rows.map((row) => entryView(row, emails)), next: found.length > limit }
}

function readAsked({ from, to, ...asked }: Query<'GET v2/manager/audit/export'>): SearchedEntries {
  const time = (given: string | undefined) =>
    given === undefined ? undefined : Temporal.Instant.from(given)
  return { ...asked, from: time(from), to: time(to) }
}

function entryView(
  { entry_id, at, staff_id, facts, before, after, prev_hash: _, ...entry }: Entry,
  emails: ReadonlyMap<number, string>,
) {
  return {
    ...entry,
    id: entry_id,
    at: wireTime(at),
    staff_id,
    email: staff_id === null ? null : (emails.get(staff_id) ?? null),
    facts: facts as Record<string, unknown>,
    before: before as Record<string, unknown> | null,
    after: after as Record<string, unknown> | null,
  }
}

/** GET v2/manager/audit/verify */
export async function verifyAudit(
  app: App,
  _staff: Staff,
  { head }: Query<'GET v2/manager/audit/verify'>,
): Promise<Answer<'GET v2/manager/audit/verify'>> {
  const { faults, ...found } = await verifyLog(app, head)
  return { ...found, faults: [...faults] }
}

/** GET v2/manager/audit/export. The entry about the export is written first, so an export of the whole log contains it. */
export async function exportAudit(
  app: App,
  staff: Staff,
  asked: Query<'GET v2/manager/audit/export'>,
): Promise<RawResponse> {
  const { user_id = null, staff_id = null, operator = null, act = null } = asked
  const { from = null, to = null } = asked
  const filters = { by_staff: staff_id, by_operator: operator, act, from, to }
  await app.transact((tx) =>
    writeAudit(tx, { staff, act: 'audit_export', user_id, facts: filters }),
  )
  const searched = readAsked(asked)
  async function* lines() {
    for await (const entry of allEntries(app.db, searched)) yield exportedLine(entry)
  }
  return new RawResponse({
    body: Readable.from(lines()),
    content_type: 'application/jsonl; charset=utf-8',
    headers: { 'Content-Disposition': 'attachment; filename="audit.jsonl"' },
  })
}
