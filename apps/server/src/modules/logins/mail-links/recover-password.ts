import type { Answer, Body } from '@duet/protocol'
import { refuse } from '../../../lib/refusal.ts'
import type { App } from '../../../core/app.ts'
import type { Viewer } from '../../../core/viewer.ts'
import { hashPassword } from '../credentials/passwords.ts'
import { passwordRefusal } from '../credentials/rules.ts'
import { applyLink, linkOfKey } from './link-process.ts'

/** Sets a new password by the key of a recovery mail; every login of the user ends. */
export async function recoverPassword(
  app: App,
  _viewer: Viewer,
  { recoveryKey, password }: Body<'POST recovery_password'>,
): Promise<Answer<'POST recovery_password'>> {
  const refusal = passwordRefusal(password, undefined)
  if (refusal) refuse(refusal)
  // Looked up first: a guessed key costs no hash.
  const link = await linkOfKey(app, recoveryKey, 'recovery')
  if (link.state !== 'open') refuse('recovery_invalid')
  const passwordHash = await hashPassword(password, 'public')
  await applyLink(app, link, { type: 'recovered', password_hash: passwordHash })
  return {}
}
