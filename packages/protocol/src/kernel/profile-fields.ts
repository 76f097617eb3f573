import { z } from 'zod'
import { limits } from './limits.ts'
import { Country } from './primitives.ts'

export const Theme = z.enum(['system', 'dark', 'light'])
export type Theme = z.output<typeof Theme>

/** The fields of the own record that UPDATE_PROFILE stores as they were sent. */
export const ProfileFields = z.object({
  phone: z.string().max(limits.phone_characters).nullable(),
  show_country: z.boolean(),
  noty_email: z.boolean(),
  noty_push: z.boolean(),
  noty_premium_guest: z.boolean(),
  noty_wanted_girl: z.boolean(),
  safe_video: z.boolean(),
  auto_accept: z.boolean(),
  available: z.boolean(),
  hide_countries: z.array(Country).max(limits.hidden_countries),
  premium_calls_only: z.boolean(),
  theme: Theme,
  default_pay_system: z.string().max(limits.name_characters).nullable(),
})
export type ProfileFields = z.output<typeof ProfileFields>
