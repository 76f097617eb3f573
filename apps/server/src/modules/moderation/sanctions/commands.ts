import { limits } from '@duet/protocol'
import { banReasons } from '@duet/protocol/kernel/rule-names.ts'
import { BanReason } from '@duet/protocol/kernel/sanctions.ts'
import type { App } from '../../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../../core/module.ts'
import type { UserId } from '../../../core/ids.ts'
import { startOfProductDay, wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { operatorName } from '../../../platform/operator/operator-name.ts'
import { shellActor, writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { findUserId, neededText, parseDay, userById } from '../../identity/index.ts'
import { imposeSanction, liftSanctions } from './impose-sanction.ts'

export function refuseOption(path: string, message: string): never {
  return refuse('invalid', { fields: [{ path, message }] })
}

/** The member that the operator names: a guest is banned by ending the call, and returns as another guest. */
async function findMember(app: App, word: string | undefined): Promise<UserId> {
  const id = await findUserId(app, word)
  const row = await userById(app.db, id)
  return row?.role && !row.erased_at ? id : refuse('not_found')
}

export function neededComment(given: CommandArguments): string {
  const comment = neededText(given, 'comment').trim()
  if (comment !== '' && [...comment].length <= limits.comment_characters) return comment
  return refuseOption('comment', `--comment has 1 to ${limits.comment_characters} characters`)
}

/** The end of a ban: an instant, or a day of the product, at whose start it ends. */
export function readUntil(app: App, { options }: CommandArguments): Temporal.Instant | null {
  const { until } = options
  if (until === undefined) return null
  const at = typeof until === 'string' ? parseInstant(until) : undefined
  return at && Temporal.Instant.compare(at, app.clock.now()) > 0
    ? at
    : refuseOption('until', '--until is a time to come: 2026-12-31 or 2026-12-31T20:00:00Z')
}

function parseInstant(text: string): Temporal.Instant | undefined {
  const day = parseDay(text)
  if (day) return startOfProductDay(day)
  try {
    return Temporal.Instant.from(text)
  } catch {
    return undefined
  }
}

export function readBanReason(given: CommandArguments): BanReason {
  const reason = BanReason.safeParse(given.options.reason)
  return reason.success
    ? reason.data
    : refuseOption('reason', `--reason is one of ${banReasons.join(', ')}`)
}

async function ban(app: App, given: CommandArguments) {
  const user_id = await findMember(app, given.words[0])
  const reason = readBanReason(given)
  const comment = neededComment(given)
  const until = readUntil(app, given)
  const statement_id = await app.transact(async (tx) => {
    await checkBulk(tx, shellActor(given), 'ban')
    const statement_id = await imposeSanction(tx, {
      user_id,
      kind: 'ban',
      reason,
      until,
      comment,
      automatic: false,
      by: operatorName(given),
    })
    const facts = { statement_id, until: until && wireTime(until) }
    const staff = shellActor(given)
    await writeAudit(tx, { staff, act: 'ban_impose', user_id, reason, facts, words: comment })
    return statement_id
  })
  return { user_id, statement_id, until: until && wireTime(until) }
}

async function unban(app: App, given: CommandArguments) {
  const user_id = await findUserId(app, given.words[0])
  const lift = { user_id, by: operatorName(given), comment: neededComment(given) }
  const ended = await app.transact(async (tx) => {
    await checkBulk(tx, shellActor(given), 'lift')
    const lifted = await liftSanctions(tx, lift)
    if (lifted.length === 0) refuse('not_found')
    const { comment: reason } = lift
    const facts = { statement_ids: lifted }
    await writeAudit(tx, { staff: shellActor(given), act: 'ban_lift', user_id, reason, facts })
    return lifted
  })
  return { user_id, statement_ids: ended }
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  ban: {
    args: `ID|EMAIL --reason ${banReasons.join('|')} [--until TIME] --comment TEXT [--as NAME]`,
    summary: 'Bans a member, at once and everywhere; the member reads the reason and the comment.',
    run: ban,
  },
  unban: {
    args: 'ID|EMAIL --comment TEXT [--as NAME]',
    summary: 'Ends every ban and suspension of a user at once.',
    run: unban,
  },
}
