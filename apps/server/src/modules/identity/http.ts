import type { EndpointsOf } from '../../core/module.ts'
import { confirmAge, profile, userSettings } from './account.ts'
import { memberProfile } from './update-profile.ts'

export const endpoints = {
  'GET profile': profile,
  'POST profile': memberProfile,
  'GET user/settings': userSettings,
  'POST age/confirm': confirmAge,
} satisfies Partial<EndpointsOf<'identity'>>
