import type { Answer, Body } from '@duet/protocol'
import { refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Guest, Member } from '../../core/viewer.ts'
import { getLoginDevice, openLogin } from '../logins/index.ts'
import { findCastName } from './queries.ts'

/** Opens a login of one of the demo users, without a password. */
export async function signIn(
  app: App,
  _viewer: Guest | Member,
  { user_id }: Body<'POST demo/sign-in'>,
  context: RequestContext,
): Promise<Answer<'POST demo/sign-in'>> {
  if (!app.config.demo) refuse('not_found')
  return app.transact(async (tx) => {
    if ((await findCastName(tx, user_id)) === undefined) refuse('not_found')
    const { token } = await openLogin(tx, user_id, getLoginDevice(context))
    return { token }
  })
}
