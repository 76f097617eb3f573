import type { Answer, Body } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { openLogin } from '../identity/index.ts'

/** One press: a login of one of the cast. */
export async function signIn(
  app: App,
  _: Guest | Member,
  { user_id }: Body<'POST demo/sign-in'>,
): Promise<Answer<'POST demo/sign-in'>> {
  if (!app.config.demo) refuse('not_found')
  return app.transact(async (tx) => {
    const member = await tx
      .selectFrom('cast_members')
      .select('user_id')
      .where('user_id', '=', user_id)
      .executeTakeFirst()
    if (!member) refuse('not_found')
    const { token } = await openLogin(tx, member.user_id)
    return { token }
  })
}
