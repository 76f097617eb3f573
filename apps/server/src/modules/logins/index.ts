/**
 * Logins: how a user gets in, and how the account stays the owner's.
 *
 * Tables         logins, mailed_links, former_emails, totp_factors, spare_codes, passkeys, answered_challenges
 * Does not know  what a member shows of himself; the columns of a user are written by functions of identity
 * Invariants     all tokens of a rotated or ended login are invalid at the commit (I3) · neither answers nor limits show who is
 *                a member (I5) · no other user can lock an owner out (I6) · a link of a mail works once (I7) · an account with a
 *                second factor is opened and changed with it only, and each code and each answer of a passkey works once (I8)
 */
import { type ActionsOf, type EndpointsOf, module } from '../../core/module.ts'
import { solveCaptcha } from '../../platform/dispatch/captcha/captcha-gate.ts'
import { identities } from '../../platform/realtime/identity-provider.ts'
import { deleteRows } from '../../platform/retention/retention-rule.ts'
import { setting } from '../settings/index.ts'
import { commands } from './commands.ts'
import { personalData } from './personal-data.ts'
import { closeEndedSockets } from './devices/close-ended-sockets.ts'
import { mailedLinks } from './mail-links/link-process.ts'
import { endIdleLogins } from './devices/logins-store.ts'
import { identityProvider } from './auth/token-viewers.ts'
import { auth } from './auth/auth.ts'
import { logout } from './auth/logout.ts'
import { forgotPassword } from './mail-links/forgot-password.ts'
import { recoverPassword } from './mail-links/recover-password.ts'
import { confirmEmail, resendConfirmation } from './mail-links/confirm-email.ts'
import { listLogins } from './devices/list-logins.ts'
import { endLogin } from './devices/end-logins.ts'
import { offerTotp, turnTotpOn, listTotp, turnTotpOff } from './second-factor/totp.ts'
import { askPasskey, storePasskey, listPasskeys, forgetPasskey } from './second-factor/passkeys.ts'

/** A closed link only counts against the limit of an hour. */
const MAILED_LINK_DAYS = 1

export const logins = module('logins', {
  actions: { AUTH: auth, CAPTCHA: solveCaptcha, LOGOUT: logout } satisfies ActionsOf<'logins'>,
  endpoints: {
    'GET forgot_password': forgotPassword,
    'POST recovery_password': recoverPassword,
    'POST auth/email/confirm': confirmEmail,
    'POST auth/email/resend': resendConfirmation,
    'GET account/sessions': listLogins,
    'POST account/sessions/end': endLogin,
    'POST auth/totp/options': offerTotp,
    'POST auth/totp/verify': turnTotpOn,
    'GET auth/totp/list': listTotp,
    'POST auth/totp/delete': turnTotpOff,
    'POST auth/passkey/options': askPasskey,
    'POST auth/passkey/verify': storePasskey,
    'GET auth/passkey/list': listPasskeys,
    'POST auth/passkey/delete': forgetPasskey,
  } satisfies EndpointsOf<'logins'>,
  commands,
  provides: [identities.provide(identityProvider)],
  personalData: { tables: personalData },
  retention: [
    {
      name: 'logins: unused for long',
      keepDays: (context) => setting(context, 'login_idle_days'),
      purge: endIdleLogins,
    },
    deleteRows('logins', 'ended_at', (context) => setting(context, 'ended_login_days')),
    deleteRows('answered_challenges', 'expires_at', () => 0),
    deleteRows('former_emails', 'until', () => 0),
    deleteRows('mailed_links', 'closed_at', () => MAILED_LINK_DAYS),
  ],
  start: async (app) => {
    const stopClosing = closeEndedSockets(app)
    await mailedLinks(app).start()
    return async () => {
      stopClosing()
      await mailedLinks(app).stop()
    }
  },
})

export {
  changeCredentials,
  credentialChange,
  followCredentialChange,
} from './change-credentials.ts'
export { closeAccount, setDeletionAsked } from './close-account.ts'
export { consumeLoginAttempt, refuseTooMany } from './credentials/login-limits.ts'
export { NO_PASSWORD, verifyPassword } from './credentials/passwords.ts'
export { emailRefusal, passwordRefusal } from './credentials/rules.ts'
export { getLoginDevice } from './devices/device-name.ts'
export { endLoginsAndSockets } from './devices/end-logins.ts'
export { endLogins, openLogin } from './devices/logins-store.ts'
export { readLogins } from './devices/queries.ts'
export { type NewUser, addUser, hashedPassword } from './registration/add-user.ts'
export { guestProfile, refuseContactInName, reservedEmails } from './registration/register.ts'
export { confirmOwner } from './second-factor/confirm-owner.ts'
export { newTotpSecret, stepOfCode } from './second-factor/one-time-codes.ts'
export { counterOfAnswer, newPasskeyFrom } from './second-factor/passkey-answers.ts'
export { questionForNewPasskey, questionForPasskey } from './second-factor/passkeys.ts'
