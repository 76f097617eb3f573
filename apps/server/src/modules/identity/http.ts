import type { EndpointsOf } from '../../core/module.ts'
import { confirmAge } from './confirm-age.ts'
import { profile, userSettings } from './own-record.ts'
import { memberProfile } from './update-profile.ts'

export const endpoints = {
  'GET profile': profile,
  'POST profile': memberProfile,
  'GET user/settings': userSettings,
  'POST age/confirm': confirmAge,
} satisfies Partial<EndpointsOf<'identity'>>
