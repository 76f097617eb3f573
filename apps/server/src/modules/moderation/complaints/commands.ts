import { resolve } from 'node:path'
import { RuleName } from '@duet/protocol/contracts/moderation.ts'
import { ruleNames } from '@duet/protocol/kernel/rule-names.ts'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { App } from '../../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../../core/module.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { operatorName } from '../../../platform/operator/operator-name.ts'
import { shellActor, writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { neededText } from '../../identity/index.ts'
import { openFolder, writeNewFile } from '../../verification/index.ts'
import { bulkKind, readEarlierBan } from '../act-on-user.ts'
import { readCoins } from '../penalties/commands.ts'
import { neededComment, readBanReason, readUntil, refuseOption } from '../sanctions/commands.ts'
import { raiseComplaint } from './act-at-once.ts'
import { COMPLAINT_DECISIONS, type ComplaintDecision } from './complaint-rules.ts'
import { complaintById, type ComplaintRow } from './complaint-store.ts'
import { readQueue } from './desk-queries.ts'
import { evidenceFiles } from './evidence-store.ts'
import { decideComplaint } from './decide-complaint.ts'
import { readEvidence } from './evidence.ts'

const EVERY_CASE = { is_limited: false, is_moderator: false, own: undefined }
const LISTED_MAX = 200

function shown({ day: _day, ...complaint }: ComplaintRow) {
  const { at, decided_at } = complaint
  return { ...complaint, at: wireTime(at), decided_at: decided_at && wireTime(decided_at) }
}

async function complaintNamed(app: App, word = ''): Promise<ComplaintRow> {
  const id = parseId(word) ?? refuse('not_found')
  return (await complaintById(app.db, id)) ?? refuse('not_found')
}

/**
 * Writes the evidence into a folder, pictures with the viewer's name on them. The look is recorded before anything is
 * read. Sealed files are listed and never written: two people export them in the office.
 */
async function show(app: App, given: CommandArguments) {
  const complaint = await complaintNamed(app, given.words[0])
  const { complaint_id } = complaint
  const viewer = operatorName(given)
  const folder = resolve(given.cwd, neededText(given, 'out'))
  await openFolder(folder)
  await app.transact(async (tx) => {
    await writeAudit(tx, {
      staff: shellActor(given),
      act: 'complaint_view',
      user_id: complaint.accused_id,
      facts: { complaint_id },
    })
  })
  const mark = `${viewer} ${wireTime(app.clock.now())} complaint ${complaint_id}`
  const files = []
  for (const row of await evidenceFiles(app.db, complaint_id)) {
    const { kind, source, sha256, is_sealed } = row
    const plain = is_sealed ? undefined : await readEvidence(app, row)
    const isRecord = kind === 'record'
    const name = `complaint-${complaint_id}-${kind}${source && `-${source}`}.${isRecord ? 'json' : 'jpg'}`
    if (plain)
      await writeNewFile(
        resolve(folder, name),
        isRecord ? plain : await app.images.watermark(plain, mark),
      )
    files.push({ file: plain ? name : null, kind, source, sha256, is_sealed, at: wireTime(row.at) })
  }
  return { ...shown(complaint), files }
}

function readDecision(given: CommandArguments): ComplaintDecision {
  const decision = COMPLAINT_DECISIONS.find((one) => one === given.options.decision)
  return (
    decision ?? refuseOption('decision', `--decision is one of ${COMPLAINT_DECISIONS.join(', ')}`)
  )
}

function readReason(given: CommandArguments, decision: ComplaintDecision): string {
  if (decision === 'no_violation') return ''
  if (decision === 'ban') return readBanReason(given)
  const rule = RuleName.safeParse(given.options.reason)
  return rule.success
    ? rule.data
    : refuseOption('reason', `--reason of a warning or penalty is one of ${ruleNames.join(', ')}`)
}

async function decide(app: App, given: CommandArguments) {
  const { complaint_id, accused_id } = await complaintNamed(app, given.words[0])
  const decision = readDecision(given)
  const input = {
    decision,
    reason: readReason(given, decision),
    until: readUntil(app, given),
    ...(decision === 'penalty' && { amount: readCoins(given) }),
    comment: neededComment(given),
    by: operatorName(given),
  }
  return app.transact(async (tx) => {
    await checkBulk(tx, shellActor(given), bulkKind(decision))
    const { statement_id } = await decideComplaint(tx, complaint_id, input)
    const earlier = await readEarlierBan(tx, accused_id, { decision, statement_id })
    await writeAudit(tx, {
      staff: shellActor(given),
      act: 'complaint_decide',
      user_id: accused_id,
      reason: input.reason,
      words: decision === 'no_violation' ? undefined : input.comment,
      facts: { complaint_id, decision, ...earlier },
    })
    return { complaint_id, statement_id, ...earlier }
  })
}

async function raise(app: App, given: CommandArguments) {
  const { complaint_id } = await complaintNamed(app, given.words[0])
  const sign = { complaint_id, note: neededComment(given), by: operatorName(given) }
  await app.transact((tx) => raiseComplaint(tx, shellActor(given), sign))
  return { complaint_id }
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'complaints list': {
    args: '',
    summary:
      'Complaints that wait for a decision: about minors and of the panic key first, then the oldest.',
    run: async (app) =>
      (await readQueue(app.db, EVERY_CASE, { offset: 0, limit: LISTED_MAX })).map(shown),
  },
  'complaints show': {
    args: 'COMPLAINT --out FOLDER [--as NAME]',
    summary:
      'Writes the evidence of a complaint into a folder, but for sealed files, which the office exports; the look is recorded.',
    run: show,
  },
  'complaints raise': {
    args: 'COMPLAINT --comment TEXT [--as NAME]',
    summary:
      'Makes a complaint one about a minor: the call ends, the evidence is sealed, and the accused is suspended if the two had contact.',
    run: raise,
  },
  'complaints decide': {
    args: `COMPLAINT --decision ${COMPLAINT_DECISIONS.join('|')} [--reason REASON] [--until TIME] [--amount COINS] --comment TEXT [--as NAME]`,
    summary:
      'Decides a complaint: the suspension that it caused ends, and both users are told; the accused reads the comment of a warning or a ban.',
    run: decide,
  },
}
