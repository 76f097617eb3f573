/** The reasons of a report about content. */
export const reportReasons = [
  'nudity',
  'child',
  'fraud',
  'threats',
  'impersonation',
  'recording',
  'inappropriate',
  'spam',
  'other',
] as const

/** An order to act, a request for information about a user, danger to a life, and anything else. */
export const authorityRequests = ['order', 'information', 'emergency', 'other'] as const
