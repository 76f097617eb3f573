import { refusals } from '@duet/protocol/refusals.ts'
import type { Actor } from './actor.ts'

/** The paths that a 900 names; what was answered instead when it was no 900. */
export async function refusedFields(actor: Actor, action: string, data: unknown): Promise<unknown> {
  const answer = await actor.tryAct(action, data)
  if (!('error' in answer) || answer.error.code !== refusals.invalid.code) return answer
  return (answer.error.additional.fields as { path: string }[]).map(({ path }) => path)
}
