import type { TextId } from '../../../shared/i18n.ts'

/** The sentences about Premium, the most useful first. */
export const PREMIUM_LINES = [
  'billing.premium.catalogue',
  'billing.premium.photos',
  'billing.premium.messages',
] as const satisfies readonly TextId[]
