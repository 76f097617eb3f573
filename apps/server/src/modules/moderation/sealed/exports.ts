import type { AuditAct } from '@duet/protocol/kernel/audit-acts.ts'
import type { App, Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import {
  type ActingPerson,
  type ApprovalRow,
  approvalState,
  askApproval,
  requestsFor,
  useApproval,
} from '../../approvals/index.ts'
import { writeAudit } from '../../audit/index.ts'
import { liftHold, placeHold } from '../../privacy/index.ts'
import { requireOtherPerson } from '../../staff/index.ts'
import { usersOfCase } from '../complaints/complaint-rules.ts'
import { lockComplaint } from '../complaints/complaint-store.ts'
import { readEvidence } from '../complaints/evidence.ts'
import { evidenceFiles } from '../complaints/evidence-store.ts'
import { type SealedRow, sealedById, setHold } from './sealed-store.ts'

const EXPORTS_MAX = 50

/** A person who acts on sealed evidence. Without `staff`: an operator, who has no account to compare. */
export interface SealKeeper extends ActingPerson {
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

/** The export as an act that another person allows. */
function askedExport({ complaint_id, accused_id, complainer_id }: SealedRow) {
  const users = { user_id: accused_id, other_user_id: complainer_id }
  return { act: 'sealed_export', ...users, facts: { complaint_id } } as const
}

/** The exports of a case, the newest first. */
function readExports(db: Db, complaint_id: number) {
  return requestsFor(db, { act: 'sealed_export', facts: { complaint_id }, limit: EXPORTS_MAX })
}

/** Asks for an export, which another person allows. A repeat gives the open request. Refuses not_found. */
export function requestExport(
  app: App,
  person: SealKeeper,
  { complaint_id, reason }: { readonly complaint_id: number; readonly reason: string },
): Promise<number> {
  return app.transact(async (tx) => {
    await lockComplaint(tx, complaint_id)
    const sealed = await foreignCase(tx, person, complaint_id)
    const open = (await readExports(tx, complaint_id)).find(
      (one) =>
        one.asked_by === person.name && ['waiting', 'allowed'].includes(approvalState(one, tx.now)),
    )
    return open?.approval_id ?? askApproval(tx, person, { ...askedExport(sealed), reason })
  })
}

export interface ExportedFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/**
 * The allowed export, once, for the person who asked: it is recorded before a file is read. Refuses not_found, and
 * role_forbidden while it is not allowed and to every other person.
 */
export async function takeExport(
  app: App,
  person: SealKeeper,
  { complaint_id, export_id }: { readonly complaint_id: number; readonly export_id: number },
): Promise<readonly ExportedFile[]> {
  const row = await app.transact(async (tx) => {
    const sealed = await foreignCase(tx, person, complaint_id)
    const used = await useApproval(tx, person.actor, export_id, askedExport(sealed))
    if (used === 'waiting') refuse('role_forbidden')
    if (typeof used === 'string') refuse('not_found')
    if (used.asked_by !== person.name) refuse('role_forbidden')
    await audit(tx, 'seal_export', person, sealed, used.reason)
    return used
  })
  return exportedFiles(app, complaint_id, row)
}

/** The files as they were captured, so that their hashes can be checked, and a manifest. */
async function exportedFiles(
  app: App,
  complaint_id: number,
  { approval_id: export_id, reason, asked_by, allowed_by }: ApprovalRow,
): Promise<readonly ExportedFile[]> {
  const files: ExportedFile[] = []
  const listed: object[] = []
  for (const file of await evidenceFiles(app.db, complaint_id)) {
    const { kind, source, sha256, bytes, is_sealed, at } = file
    const plain = await readEvidence(app, file)
    const name = plain ? `${kind}${source && `-${source}`}.${extension(kind, plain)}` : null
    if (plain && name) files.push({ name, bytes: plain })
    listed.push({ name, kind, source, sha256, bytes, is_sealed, at: wireTime(at) })
  }
  const { seal } = await neededCase(app.db, complaint_id)
  const manifest = {
    complaint_id,
    seal,
    export_id,
    reason,
    asked_by,
    allowed_by,
    exported_at: wireTime(app.clock.now()),
    files: listed,
  }
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  return [...files, { name: 'manifest.json', bytes }]
}

function extension(kind: string, bytes: Uint8Array): string {
  if (kind === 'record') return 'json'
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? 'jpg' : 'webp'
}

function shownExport(row: ApprovalRow, now: Temporal.Instant) {
  const { approval_id: id, reason, asked_by, allowed_by } = row
  const asked_at = wireTime(row.asked_at)
  const used_at = row.used_at && wireTime(row.used_at)
  return { id, reason, asked_by, asked_at, allowed_by, used_at, state: approvalState(row, now) }
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
  const exports = await readExports(app.db, complaint_id)
  return { sealed, files, exports: exports.map((one) => shownExport(one, app.clock.now())) }
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
