import type { ActionsOf } from '../../core/module.ts'
import { solveCaptcha } from '../../platform/dispatch/captcha/captcha-gate.ts'
import { changeLocale } from './change-locale.ts'
import { auth } from './login/auth.ts'
import { logout } from './login/logout.ts'
import { setFingerprint, setProFingerprint } from './fingerprints/set-fingerprint.ts'
import { updateProfile } from './update-profile.ts'

export const actions = {
  AUTH: auth,
  CAPTCHA: solveCaptcha,
  D_INFO: setFingerprint,
  PRO_D_INFO: setProFingerprint,
  CHANGE_LOCALE: changeLocale,
  UPDATE_PROFILE: updateProfile,
  LOGOUT: logout,
} satisfies Partial<ActionsOf<'identity'>>
