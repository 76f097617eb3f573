import type { EndpointsOf } from '../../core/module.ts'
import { endLogin } from './login/end-login.ts'
import { listLogins } from './login/list-logins.ts'
import { confirmAge } from './confirm-age.ts'
import { profile, userSettings } from './own-record.ts'
import { memberProfile } from './update-profile.ts'

export const endpoints = {
  'GET profile': profile,
  'POST profile': memberProfile,
  'GET user/settings': userSettings,
  'POST age/confirm': confirmAge,
  'GET account/sessions': listLogins,
  'POST account/sessions/end': endLogin,
} satisfies Partial<EndpointsOf<'identity'>>
