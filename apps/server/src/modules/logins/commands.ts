import type { App } from '../../core/app.ts'
import type { OperatorCommand, CommandArguments } from '../../core/module.ts'
import { shellActor, writeAudit } from '../audit/index.ts'
import { changeUser, neededText, findUserId } from '../identity/index.ts'
import { endLoginsAndSockets } from './devices/end-logins.ts'
import { removeFormerEmails } from './mail-links/former-emails-store.ts'
import { hashedPassword } from './registration/add-user.ts'
import { removeUserFactors } from './second-factor/totp.ts'

/** For a user who cannot be mailed a link: the former password may be a stranger's, so every login and way back ends. */
async function setPassword(app: App, given: CommandArguments) {
  const id = await findUserId(app, given.words[0])
  const password_hash = await hashedPassword(neededText(given, 'password'))
  await app.transact(async (tx) => {
    await changeUser(tx, id, { password_hash, password_changed_at: tx.now })
    await removeFormerEmails(tx, id)
    await endLoginsAndSockets(tx, id, 'all')
    await tx.publish('security_changed', { user_id: id, what: 'password' })
    await writeAudit(tx, { staff: shellActor(given), act: 'password_set', user_id: id })
  })
  app.log.info({ user_id: id }, 'the operator set the password of a user')
  return { id }
}

async function removeFactors(app: App, given: CommandArguments) {
  const id = await findUserId(app, given.words[0])
  const reason = neededText(given, 'reason')
  const removed = await app.transact(async (tx) => {
    await writeAudit(tx, { staff: shellActor(given), act: 'factors_remove', user_id: id, reason })
    return removeUserFactors(tx, id, 'all')
  })
  app.log.info({ user_id: id, reason }, 'the operator removed the second factors of a user')
  return { id, removed }
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'user password': {
    args: 'ID|EMAIL --password - [--as NAME]',
    summary: 'Sets a new password and ends every login; for a user who cannot be mailed a link.',
    run: setPassword,
  },
  'factors remove': {
    args: 'ID|EMAIL --reason TEXT [--as NAME]',
    summary: 'Removes the second factors of a user who has lost them; the user gets a mail.',
    run: removeFactors,
  },
}
