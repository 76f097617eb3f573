import { refusals } from '@duet/protocol/kernel/refusals.ts'
import type { TestUser } from './test-user.ts'

/** The paths that a 900 names; what was answered instead when it was no 900. */
export async function refusedFields(
  actor: TestUser,
  action: string,
  data: unknown,
): Promise<unknown> {
  const answer = await actor.tryAct(action, data)
  if (!('error' in answer) || answer.error.code !== refusals.invalid.code) return answer
  return (answer.error.additional.fields as { path: string }[]).map(({ path }) => path)
}
