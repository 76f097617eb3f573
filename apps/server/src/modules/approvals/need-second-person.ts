import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import type { Tx } from '../../core/app.ts'
import type { CommandArguments } from '../../core/module.ts'
import { CommandRefused } from '../../platform/operator/commands.ts'
import { operatorName } from '../../platform/operator/operator-name.ts'
import { shellActor } from '../audit/index.ts'
import { APPROVAL_HOURS, askApproval, type AskedAct, useApproval } from './approvals.ts'

/** The answer of a command that must wait. */
export interface WaitingAct {
  readonly approval_id: number
  readonly waits: string
}

/**
 * Call it in the transaction of an act of the shell that one person may not do alone. An answer: the act is not done and
 * waits for the office. Undefined: it was allowed, and is done now; the allowance is used up. With SECOND_PERSON=off nothing
 * waits. Refuses as CommandRefused an allowance that does not exist, is of another act, was not given, was used, or is too old.
 */
export async function needSecondPerson(
  tx: Tx,
  given: CommandArguments,
  asked: AskedAct & { readonly reason: string },
): Promise<WaitingAct | undefined> {
  if (!tx.app.config.second_person) return undefined
  const actor = shellActor(given)
  const { approval } = given.options
  if (approval === undefined) {
    const approval_id = await askApproval(tx, { name: operatorName(given), actor }, asked)
    return {
      approval_id,
      waits: `A second person allows it in the office, page "Stopped acts", within ${APPROVAL_HOURS} hours. Then repeat the command with --approval ${approval_id}.`,
    }
  }
  const id = typeof approval === 'string' ? parseId(approval) : undefined
  const used = id === undefined ? 'missing' : await useApproval(tx, actor, id, asked)
  if (typeof used === 'string') throw new CommandRefused(sentence[used](id ?? 0))
  return undefined
}

const sentence = {
  missing: () => 'There is no request with the number of --approval.',
  other_act: (id: number) => `Request ${id} is about another act.`,
  waiting: (id: number) => `No second person has allowed request ${id}.`,
  used: (id: number) => `Request ${id} was used already.`,
  over: (id: number) => `Request ${id} is too old: ask again.`,
}
