import type { Sent } from '@duet/protocol'

export type Reason = Sent<'TO_COMPLAIN'>['reason']

/** In the order of the dialog: what cannot wait is first. */
export const COMPLAINT_REASONS: readonly Reason[] = [
  'child',
  'threats',
  'recording',
  'intimate_image',
  'nudity',
  'inappropriate',
  'fraud',
  'gift_begging',
  'impersonation',
  'spam',
  'dislike',
]
