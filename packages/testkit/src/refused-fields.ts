import type { TestUser } from './test-user.ts'

/** The paths that an `invalid` names; the whole answer when it is another one. */
export async function refusedFields(
  user: TestUser,
  action: string,
  data: unknown,
): Promise<unknown> {
  const answer = await user.tryAct(action, data)
  if (!('error' in answer) || answer.error.name !== 'invalid') return answer
  return (answer.error.additional.fields as { path: string }[]).map(({ path }) => path)
}
