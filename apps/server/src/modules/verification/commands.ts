import { resolve } from 'node:path'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { startOfProductDay, wireTime } from '../../lib/clock.ts'
import { refuse } from '../../lib/refusal.ts'
import type { App, Tx } from '../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../core/module.ts'
import { operatorName } from '../../platform/operator/operator-name.ts'
import { shellActor, writeAudit } from '../audit/index.ts'
import { needSecondPerson } from '../approvals/index.ts'
import { parseDay, userById, findUserId } from '../identity/index.ts'
import type { DeclineReason } from '@duet/protocol/kernel/rule-names.ts'
import { DECLINE_REASONS, type IdentityCheck } from './check/check-rules.ts'
import {
  approveCheck,
  auditDecision,
  declineCheck,
  unverifyUser,
  verifyUser,
} from './decide-check.ts'
import { rotateKeys } from './documents/rotate-keys.ts'
import { openFolder, writeDocuments } from './documents/write-documents.ts'
import { checkById, waitingChecks } from './queries.ts'

const LISTED_MAX = 200
function option(given: CommandArguments, name: string): string {
  const value = given.options[name]
  return typeof value === 'string' && value.trim() !== ''
    ? value.trim()
    : refuse('invalid', { fields: [{ path: name, message: `--${name} is needed` }] })
}

async function checkNamed(app: App, [word = '']: readonly string[]): Promise<IdentityCheck> {
  const id = parseId(word) ?? refuse('not_found')
  return (await checkById(app.db, id)) ?? refuse('not_found')
}

/** A check as the operator reads it, without anything of the documents. */
function shown({ request, ...check }: IdentityCheck) {
  return {
    check_id: check.check_id,
    user_id: check.user_id,
    provider: check.provider,
    state: check.state,
    reason: check.reason,
    document_type: request?.document_type ?? null,
    country: request?.document_country ?? null,
    consent: request && { version: request.consent_version, at: wireTime(request.consent_at) },
    opened_at: wireTime(check.opened_at),
    decided_by: check.decided_by,
    expires_at: check.expires_at && wireTime(check.expires_at),
  }
}

async function list(app: App) {
  return (await waitingChecks(app.db, LISTED_MAX)).map(shown)
}

/** The documents as files, after a second person has allowed it, and what the operator compares them with. */
async function show(app: App, given: CommandArguments) {
  const check = await checkNamed(app, given.words)
  const folder = resolve(given.cwd, option(given, 'out'))
  const { check_id, user_id } = check
  await openFolder(folder)
  const asked = { act: 'documents', user_id, facts: { check_id }, reason: '' } as const
  const waiting = await app.transact((tx) => needSecondPerson(tx, given, asked))
  if (waiting) return waiting
  const files = await writeDocuments(app, check, {
    folder,
    viewer: operatorName(given),
    staff: shellActor(given),
  })
  const user = await userById(app.db, check.user_id)
  return {
    ...shown(check),
    gesture: check.request?.gesture ?? null,
    // The document must show the same birthday: the approval is the proof of age.
    birthday: user?.birthday?.toString() ?? null,
    nick: user?.nick ?? null,
    files,
  }
}

/** The operator who decides, and the entry of the audit log. */
function decided(
  given: CommandArguments,
  of: { readonly user_id: number; readonly check_id: number | null },
  reason: string | null,
) {
  const inside = (tx: Tx) => auditDecision(tx, shellActor(given), of, { reason })
  return { by: operatorName(given), inside }
}

async function approve(app: App, given: CommandArguments) {
  const check = await checkNamed(app, given.words)
  const day = parseDay(option(given, 'expires'))
  const expires_at = day && startOfProductDay(day.add({ days: 1 }))
  if (!expires_at || Temporal.Instant.compare(expires_at, app.clock.now()) <= 0)
    refuse('invalid', {
      fields: [
        { path: 'expires', message: '--expires is the last day of the document, YYYY-MM-DD' },
      ],
    })
  return shown(
    await approveCheck(app, check.check_id, { expires_at, ...decided(given, check, null) }),
  )
}

async function decline(app: App, given: CommandArguments) {
  const check = await checkNamed(app, given.words)
  const reason = option(given, 'reason')
  if (!isDeclineReason(reason))
    refuse('invalid', {
      fields: [{ path: 'reason', message: `--reason is one of ${DECLINE_REASONS.join(', ')}` }],
    })
  return shown(
    await declineCheck(app, check.check_id, { reason, ...decided(given, check, reason) }),
  )
}

function isDeclineReason(word: string): word is DeclineReason {
  return (DECLINE_REASONS as readonly string[]).includes(word)
}

/** Verifies a user without documents, or takes a verification back. */
async function verify(app: App, given: CommandArguments) {
  const id = await findUserId(app, given.words[0])
  const of = { user_id: id, check_id: null }
  const { decline: why } = given.options
  if (why === undefined) await verifyUser(app, id, decided(given, of, null))
  else {
    const reason = typeof why === 'string' && isDeclineReason(why) ? why : 'other'
    await unverifyUser(app, id, { reason, ...decided(given, of, reason) })
  }
  const row = await userById(app.db, id)
  return { id, verified_at: row?.verified_at ? wireTime(row.verified_at) : null }
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  verify: {
    args: 'ID|EMAIL [--decline REASON] [--as NAME]',
    summary: 'Marks a user as verified without documents, or takes it back.',
    run: verify,
  },
  'verification list': {
    args: '',
    summary: 'Checks of identity that wait for a decision, the longest wait first.',
    run: list,
  },
  'verification show': {
    args: 'CHECK --out FOLDER [--approval N] [--as NAME]',
    summary:
      'Writes the documents of a check into a folder, marked with the viewer, after a second person has allowed it in the office; the look is recorded.',
    run: show,
  },
  'verification approve': {
    args: 'CHECK --expires YYYY-MM-DD [--as NAME]',
    summary: 'Verifies the user until the document expires.',
    run: approve,
  },
  'verification decline': {
    args: `CHECK --reason ${DECLINE_REASONS.join('|')} [--as NAME]`,
    summary: 'Declines a check; the user reads the reason and may send again.',
    run: decline,
  },
  'verification rotate-key': {
    args: '[--as NAME]',
    summary: 'Wraps the keys of all documents by a new key, while the server runs.',
    run: async (app, given) => {
      const staff = shellActor(given)
      await app.transact((tx) => writeAudit(tx, { staff, act: 'document_keys_rotate' }))
      return rotateKeys(app)
    },
  },
}
