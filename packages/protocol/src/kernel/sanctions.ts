import { z } from 'zod'
import { Id, Time } from './primitives.ts'
import { banReasons, photoVerdicts } from './rule-names.ts'

export const BanReason = z.enum(banReasons)
export type BanReason = z.output<typeof BanReason>

/** Why staff removed a picture. */
export const PhotoVerdict = z.enum(photoVerdicts)
export type PhotoVerdict = z.output<typeof PhotoVerdict>

export const AppealState = z.enum(['waiting', 'upheld', 'rejected'])
export type AppealState = z.output<typeof AppealState>
export const Appeal = z.object({
  id: Id,
  statement_id: Id,
  text: z.string(),
  state: AppealState,
  answer: z.string().optional(),
  create_time: Time,
  decided_at: Time.optional(),
})
export type Appeal = z.output<typeof Appeal>

/** A suspension has no end of its own: it stands while staff look into a complaint. */
export const SanctionReason = z.enum([...banReasons, 'under_review'])
export type SanctionReason = z.output<typeof SanctionReason>
export const SanctionKind = z.enum(['ban', 'suspension'])
export type SanctionKind = z.output<typeof SanctionKind>

/** The sanction under which a user stays after another one was taken back; `until` null is without an end. */
export const StandingSanction = z.object({
  statement_id: Id,
  kind: SanctionKind,
  reason: z.string(),
  until: Time.nullable(),
})
export type StandingSanction = z.output<typeof StandingSanction>

/** The ban or suspension of a user, for that user; `unban_time` null is without an end. */
export const ModerationInfo = z.object({
  kind: SanctionKind,
  reason: SanctionReason,
  unban_time: Time.nullable(),
  comment: z.string(),
  statement_id: Id,
  can_appeal: z.boolean(),
  appeal: Appeal.optional(),
})
export type ModerationInfo = z.output<typeof ModerationInfo>
