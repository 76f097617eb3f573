import { z } from 'zod'
import { limits } from '../kernel/limits.ts'
import { boundedText, PositiveAmount, Time } from '../kernel/primitives.ts'
import { complaintDecisions } from './moderation-desk.ts'

/** A decision of staff about one user: the same fields in each queue whose cases are users. */
export const userDecision = {
  decision: z.enum(complaintDecisions),
  /** The broken rule of a warning or penalty, or the reason of a ban. */
  reason: z.string().max(limits.name_characters).optional(),
  until: Time.nullable().optional(),
  /** The length of a ban, counted from when the server takes it. */
  hours: z.int().positive().max(limits.ban_hours).optional(),
  /** Of a penalty: the coins. */
  amount: PositiveAmount.optional(),
  comment: boundedText(limits.comment_characters, 1),
}
