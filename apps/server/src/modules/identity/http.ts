import type { EndpointsOf } from '../../core/module.ts'
import { endLogin } from './login/end-login.ts'
import { listLogins } from './login/list-logins.ts'
import { confirmEmail, resendConfirmation } from './mailed-links/confirm-email.ts'
import { forgotPassword } from './mailed-links/forgot-password.ts'
import { recoverPassword } from './mailed-links/recover-password.ts'
import { confirmAge } from './confirm-age.ts'
import { profile, userSettings } from './own-record.ts'
import { askPasskey, forgetPasskey, listPasskeys, storePasskey } from './second-factor/passkeys.ts'
import { listTotp, offerTotp, turnTotpOff, turnTotpOn } from './second-factor/totp.ts'
import { memberProfile } from './update-profile.ts'

export const endpoints = {
  'GET profile': profile,
  'POST profile': memberProfile,
  'GET user/settings': userSettings,
  'POST age/confirm': confirmAge,
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
} satisfies Partial<EndpointsOf<'identity'>>
