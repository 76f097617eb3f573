import type { ActionsOf } from '../../core/module.ts'
import { changeLocale, logout, setFingerprint } from './account.ts'
import { auth } from './auth.ts'
import { updateProfile } from './update-profile.ts'

export const actions = {
  AUTH: auth,
  D_INFO: setFingerprint,
  CHANGE_LOCALE: changeLocale,
  UPDATE_PROFILE: updateProfile,
  LOGOUT: logout,
} satisfies Partial<ActionsOf<'identity'>>
