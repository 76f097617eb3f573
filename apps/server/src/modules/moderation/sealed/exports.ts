import type { AuditAct } from '@duet/protocol/kernel/audit-acts.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { type Actor, writeAudit } from '../../audit/index.ts'
import { liftHold, placeHold } from '../../privacy/index.ts'
import { requireOtherPerson } from '../../staff/index.ts'
import { usersOfCase } from '../complaints/complaint-rules.ts'
import { lockComplaint } from '../complaints/complaint-store.ts'
import { readEvidence } from '../complaints/evidence.ts'
import { evidenceFiles } from '../complaints/evidence-store.ts'
import {
  changeExport,
  type ExportRow,
  readExports,
  insertExport,
  lockExport,
  type SealedRow,
  sealedById,
  setHold,
} from './export-store.ts'

/** A request without an approval, and an approval without an export, end after a day. */
const EXPORT_HOURS = 24
const EXPORTS_MAX = 50

/** A person who acts on sealed evidence: a member of staff by the mail, or an operator by the name. */
export interface SealKeeper {
  readonly name: string
  readonly actor: Actor
  /** Undefined: an operator, who has no account to compare. */
  readonly staff?: Staff
}

async function audit(tx: Tx, act: AuditAct, person: SealKeeper, sealed: SealedRow, reason = '') {
  const { accused_id: user_id, complaint_id } = sealed
  const facts = { complaint_id, seal: sealed.seal ?? '' }
  await writeAudit(tx, { staff: person.actor, act, user_id, reason, facts })
}

async function neededCase(db: Db, complaint_id: number): Promise<SealedRow> {
  return (await sealedById(db, complaint_id)) ?? refuse('not_found')
}

/** The case, unless the person is of the two that it is about. */
async function foreignCase(tx: Tx, { staff }: SealKeeper, complaint_id: number) {
  const sealed = await neededCase(tx, complaint_id)
  if (staff) await requireOtherPerson(tx, staff, usersOfCase(sealed))
  return sealed
}

function isOpen(now: Temporal.Instant, { requested_at, approved_at }: ExportRow): boolean {
  const end = (approved_at ?? requested_at).add({ hours: EXPORT_HOURS })
  return Temporal.Instant.compare(now, end) < 0
}

/** Asks for an export. Another person must approve it. A repeat gives the open request. Refuses not_found. */
export function requestExport(
  app: App,
  person: SealKeeper,
  { complaint_id, reason }: { readonly complaint_id: number; readonly reason: string },
): Promise<number> {
  return app.transact(async (tx) => {
    await lockComplaint(tx, complaint_id)
    const sealed = await foreignCase(tx, person, complaint_id)
    const open = (await readExports(tx, complaint_id, EXPORTS_MAX)).find(
      (one) => one.requested_by === person.name && !one.exported_at && isOpen(tx.now, one),
    )
    if (open) return open.export_id
    const requested_by = person.name
    const export_id = await insertExport(tx, { complaint_id, reason, requested_by })
    await audit(tx, 'seal_export_request', person, sealed, reason)
    return export_id
  })
}

async function lockOpen(tx: Tx, export_id: number): Promise<ExportRow> {
  const row = (await lockExport(tx, export_id)) ?? refuse('not_found')
  return isOpen(tx.now, row) ? row : refuse('not_found')
}

/** Refuses not_found, decided; role_forbidden for the person who asked. */
export function approveExport(app: App, person: SealKeeper, export_id: number): Promise<void> {
  return app.transact(async (tx) => {
    const row = await lockOpen(tx, export_id)
    if (row.requested_by.toLowerCase() === person.name.toLowerCase()) refuse('role_forbidden')
    if (row.approved_by === person.name) return
    if (row.approved_by !== null) refuse('decided')
    await changeExport(tx, export_id, { approved_by: person.name, approved_at: tx.now })
    await audit(tx, 'seal_export_approve', person, await foreignCase(tx, person, row.complaint_id))
  })
}

export interface ExportedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** The export for the person who asked, after an approval: it is recorded before a file is read. Refuses not_found, role_forbidden. */
export async function takeExport(
  app: App,
  person: SealKeeper,
  export_id: number,
): Promise<readonly ExportedFile[]> {
  const row = await app.transact(async (tx) => {
    const open = await lockOpen(tx, export_id)
    if (open.approved_by === null || open.requested_by !== person.name) refuse('role_forbidden')
    const exported = { exported_by: person.name, exported_at: open.exported_at ?? tx.now }
    await changeExport(tx, export_id, exported)
    await audit(
      tx,
      'seal_export',
      person,
      await foreignCase(tx, person, open.complaint_id),
      open.reason,
    )
    return open
  })
  return exportedFiles(app, row)
}

/** The files as they were captured, so that their hashes can be checked, and a manifest. */
async function exportedFiles(app: App, row: ExportRow): Promise<readonly ExportedFile[]> {
  const { complaint_id } = row
  const files: ExportedFile[] = []
  const listed: object[] = []
  for (const file of await evidenceFiles(app.db, complaint_id)) {
    const { kind, source, sha256, bytes, is_sealed, at } = file
    const plain = await readEvidence(app, file)
    const name = plain ? `${kind}${source && `-${source}`}.${extension(kind, plain)}` : null
    if (plain && name) files.push({ name, bytes: plain })
    listed.push({ name, kind, source, sha256, bytes, is_sealed, at: wireTime(at) })
  }
  const { export_id, reason, requested_by, approved_by } = row
  const { seal } = await neededCase(app.db, complaint_id)
  const exported_at = wireTime(app.clock.now())
  const people = { requested_by, approved_by }
  const manifest = { complaint_id, seal, export_id, reason, ...people, exported_at, files: listed }
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  return [...files, { name: 'manifest.json', bytes }]
}

function extension(kind: string, bytes: Uint8Array): string {
  if (kind === 'record') return 'json'
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'jpg' : 'webp'
}

/** The facts of a case; the look is recorded. `whole`: each file is there and has its hash. */
export async function lookAt(app: App, person: SealKeeper, complaint_id: number) {
  const sealed = await app.transact(async (tx) => {
    const found = await foreignCase(tx, person, complaint_id)
    await audit(tx, 'seal_view', person, found)
    return found
  })
  const files = []
  for (const file of await evidenceFiles(app.db, complaint_id)) {
    const plain = await readEvidence(app, file)
    files.push({ file, is_whole: plain !== undefined })
  }
  return { sealed, files, exports: await readExports(app.db, complaint_id, EXPORTS_MAX) }
}

/** Keeps the data of the accused from every deletion. A repeat changes nothing. Refuses not_found. */
export function holdCase(
  app: App,
  person: SealKeeper,
  { complaint_id, reason }: { readonly complaint_id: number; readonly reason: string },
): Promise<void> {
  return app.transact(async (tx) => {
    await lockComplaint(tx, complaint_id)
    const sealed = await foreignCase(tx, person, complaint_id)
    if (sealed.is_held) return
    const placed = { user_id: sealed.accused_id, placed_by: person.name }
    const hold_id = await placeHold(tx, { ...placed, reason: `complaint ${complaint_id}` })
    await setHold(tx, complaint_id, hold_id)
    await audit(tx, 'seal_hold', person, sealed, reason)
  })
}

/** Ends the hold of a decided case; its sealed files stay. Refuses not_found, also while no one has decided. */
export function releaseCase(
  app: App,
  person: SealKeeper,
  { complaint_id, reason }: { readonly complaint_id: number; readonly reason: string },
): Promise<void> {
  return app.transact(async (tx) => {
    await lockComplaint(tx, complaint_id)
    const sealed = await foreignCase(tx, person, complaint_id)
    if (sealed.decided_at === null) refuse('not_found')
    if (!sealed.is_held) return
    await liftHold(tx, sealed.hold_id!)
    await audit(tx, 'seal_release', person, sealed, reason)
  })
}
