import type { Answer, Body } from '@duet/protocol'
import type { App, Tx } from '../../core/app.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import {
  hashedPassword,
  newPasskeyFrom,
  newTotpSecret,
  passwordRefusal,
  questionForNewPasskey,
  questionForPasskey,
  stepOfCode,
} from '../logins/index.ts'
import { openSession } from './sessions.ts'
import {
  addPasskey,
  memberById,
  readEmails,
  readLink,
  setLinkSecret,
  setPasswordAndCode,
  useLink,
} from './store.ts'
import { tellSetup } from './tell-links.ts'

async function openLink(app: App, token: string) {
  return (await readLink(app.db, token, app.clock.now())) ?? refuse('recovery_invalid')
}

/**
 * POST v2/manager/setup/begin. Each time it gives another secret of the one-time codes, which replaces the former: a person
 * who has seen the link before does not know the secret of the page that finishes. Refuses recovery_invalid.
 */
export async function beginSetup(
  app: App,
  _viewer: Viewer,
  { token }: Body<'POST v2/manager/setup/begin'>,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/setup/begin'>> {
  const { id, email } = await openLink(app, token)
  const { sealed, secret, url } = newTotpSecret(app, { owner: `staff ${id}`, email })
  await app.transact(async (tx) => {
    if (!(await setLinkSecret(tx, token, sealed))) refuse('recovery_invalid')
    await writeAudit(tx, { staff: { id, address: context.address }, act: 'staff_setup' })
  })
  return { email, totp_secret: secret, totp_uri: url }
}

/** POST v2/manager/passkey/options: with the token of a link, the question for a new passkey. Refuses recovery_invalid. */
export async function askPasskey(
  app: App,
  _viewer: Viewer,
  { token }: Body<'POST v2/manager/passkey/options'>,
): Promise<Answer<'POST v2/manager/passkey/options'>> {
  if (token === undefined) return questionForPasskey(app, 'staff prove')
  const { id, email } = await openLink(app, token)
  return questionForNewPasskey(app, { owner: `staff ${id}`, email, name: email })
}

/** POST v2/manager/setup/finish. Refuses recovery_invalid, second_factor, password_weak. */
export async function finishSetup(
  app: App,
  _viewer: Viewer,
  { token, password = '', otp = '', passkey }: Body<'POST v2/manager/setup/finish'>,
  context: RequestContext,
): Promise<Answer<'POST v2/manager/setup/finish'>> {
  const link = await openLink(app, token)
  if (passkey)
    return app.transact(async (tx) => {
      const facts = await takeLink(tx, link, token)
      const made = await newPasskeyFrom(tx, `staff ${link.id}`, passkey)
      if (!made || !(await addPasskey(tx, link.id, made))) refuse('second_factor')
      return openSession(tx, link, context, facts)
    })
  const refused = passwordRefusal(password, undefined)
  if (refused) refuse(refused)
  const totp_step = stepOfCode(app, { owner: `staff ${link.id}`, secret: link.totp_secret }, otp)
  if (totp_step === undefined) refuse('second_factor')
  const password_hash = await hashedPassword(password)
  return app.transact(async (tx) => {
    const facts = await takeLink(tx, link, token)
    await setPasswordAndCode(tx, link.id, {
      password_hash,
      totp_secret: link.totp_secret,
      totp_step,
    })
    return openSession(tx, link, context, facts)
  })
}

/** Uses the link, which is told; returns the facts of the sign-in by it. Refuses recovery_invalid. */
async function takeLink(tx: Tx, { id }: { readonly id: number }, token: string) {
  const { made_by } = (await useLink(tx, id, token)) ?? refuse('recovery_invalid')
  const emails = await readEmails(tx, made_by === null ? [] : [made_by])
  const by = made_by === null ? undefined : emails.get(made_by)
  await tellSetup(tx, (await memberById(tx, id))!, by)
  return { set_up_by: by ?? null }
}
