import { limits } from '@duet/protocol/kernel/limits.ts'
import { refuse } from '../../lib/refusal.ts'
import { wireTime } from '../../lib/clock.ts'
import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { OperatorCommand, CommandArguments } from '../../core/module.ts'
import { endLoginsAndSockets } from './login/end-login.ts'
import { removeFormerEmails } from './mailed-links/former-emails-store.ts'
import { userByEmail, userById } from './queries.ts'
import { hashedPassword } from './registration/add-user.ts'
import { changeUser } from './store.ts'
import { removeAllFactors } from './second-factor/totp.ts'
import { givePremium } from './premium/premium.ts'
import { showLinks } from './fingerprints/links.ts'

const PREMIUM_DAYS_MAX = 3650

function text(given: CommandArguments, option: string): string {
  const value = given.options[option]
  return typeof value === 'string' && value !== ''
    ? value
    : refuse('invalid', { fields: [{ path: option, message: `--${option} is needed` }] })
}

/** The id of a user that the operator named by id or e-mail. Refuses not_found. */
export async function userIdOf(app: App, word: string | undefined): Promise<UserId> {
  const isId = /^\d+$/.test(word ?? '')
  if (isId && Number(word) > limits.id_max) refuse('not_found')
  const row = isId ? await userById(app.db, Number(word)) : await userByEmail(app.db, word ?? '')
  return row?.id ?? refuse('not_found')
}

async function userShow(app: App, given: CommandArguments) {
  const row = (await userById(app.db, await userIdOf(app, given.words[0])))!
  const { password_hash: _, ...shown } = row
  return shown
}

/** For a user who cannot be mailed a link: the former password may be a stranger's, so every login and way back ends. */
async function setPassword(app: App, given: CommandArguments) {
  const id = await userIdOf(app, given.words[0])
  const password_hash = await hashedPassword(text(given, 'password'))
  await app.transact(async (tx) => {
    await changeUser(tx, id, { password_hash, password_changed_at: tx.now })
    await removeFormerEmails(tx, id)
    await endLoginsAndSockets(tx, id, 'all')
    await tx.publish('security_changed', { user_id: id, what: 'password' })
  })
  app.log.info({ user_id: id }, 'the operator set the password of a user')
  return { id }
}

async function premium(app: App, given: CommandArguments) {
  const id = await userIdOf(app, given.words[0])
  const days = Number(text(given, 'days'))
  if (!Number.isInteger(days) || days < 1 || days > PREMIUM_DAYS_MAX)
    refuse('invalid', {
      fields: [{ path: 'days', message: `--days is a whole number from 1 to ${PREMIUM_DAYS_MAX}` }],
    })
  return app.transact(async (tx) => ({
    id,
    premium_until: wireTime(await givePremium(tx, id, days)),
  }))
}

async function removeFactors(app: App, given: CommandArguments) {
  const id = await userIdOf(app, given.words[0])
  const reason = text(given, 'reason')
  const removed = await app.transact((tx) => removeAllFactors(tx, id))
  app.log.info({ user_id: id, reason }, 'the operator removed the second factors of a user')
  return { id, removed }
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'user show': { args: 'ID|EMAIL', summary: 'Shows a user’s record.', run: userShow },
  'user password': {
    args: 'ID|EMAIL --password -',
    summary: 'Sets a new password and ends every login; for a user who cannot be mailed a link.',
    run: setPassword,
  },
  'factors remove': {
    args: 'ID|EMAIL --reason TEXT',
    summary: 'Removes the second factors of a user who has lost them; the user gets a mail.',
    run: removeFactors,
  },
  links: {
    args: 'ID|EMAIL',
    summary:
      'Lists accounts that share a browser, a device or a network with a user: by what, and when.',
    run: async (app, given) => showLinks(app.db, await userIdOf(app, given.words[0])),
  },
  premium: { args: 'ID --days N', summary: 'Extends a user’s Premium.', run: premium },
}
