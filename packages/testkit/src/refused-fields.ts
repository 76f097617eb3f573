import type { TestUser } from './test-user.ts'

/** The paths that an `invalid` names. Of another answer, the whole answer. */
export async function refusedFields(
  user: TestUser,
  action: string,
  data: unknown,
): Promise<unknown> {
  const answer = await user.tryAct(action, data)
  if (!('error' in answer) || answer.error.name !== 'invalid') return answer
  return (answer.error.additional.fields as { path: string }[]).map(({ path }) => path)
}
