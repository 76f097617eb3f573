import { z } from 'zod'
import { Id, Time, UserId, Uuid } from '../kernel/primitives.ts'

const At = z.object({ at: Time })
const ByUser = At.extend({ user_id: UserId })

/** The picture or message that a complaint names; `status` null: gone. `can_remove`: a decision can remove it. */
export const NamedContent = z.object({
  media_id: Uuid.nullable(),
  message_id: Id.nullable(),
  status: z.string().nullable(),
  can_remove: z.boolean(),
})

/** One step of what happened in a case. `is_masked`: the recipient did not see the text whole. */
export const TimelineEntry = z.discriminatedUnion('type', [
  At.extend({ type: z.literal('connected') }),
  At.extend({ type: z.literal('private') }),
  At.extend({ type: z.literal('ended'), reason: z.string() }),
  ByUser.extend({ type: z.literal('reported') }),
  /** Staff opened the case. */
  At.extend({ type: z.literal('opened') }),
  ByUser.extend({
    type: z.literal('text'),
    text: z.string(),
    is_masked: z.boolean(),
    /** Written in the dialog of the two, not in the call. */
    in_dialog: z.boolean(),
    /** The complaint is about this message. */
    is_reported: z.boolean(),
  }),
  ByUser.extend({ type: z.literal('image'), is_reported: z.boolean() }),
  ByUser.extend({ type: z.literal('like') }),
  ByUser.extend({ type: z.literal('gift'), gift: z.string() }),
  /** A microphone or a camera was switched off or on. */
  ByUser.extend({ type: z.literal('media'), audio: z.boolean(), video: z.boolean() }),
  At.extend({ type: z.literal('frame'), id: Uuid, is_flagged: z.boolean() }),
])
export type TimelineEntry = z.output<typeof TimelineEntry>
