import type { ComplaintCase, TimelineEntry } from '@duet/protocol'
import { wireTime } from '../../../lib/clock.ts'
import type { ComplaintRow } from './complaint-store.ts'
import type { Course, CourseText } from './course.ts'

/** Everything of a case in the order of time: the call, what both wrote, gave, sent and switched off, and the report. */
export function toTimeline(
  { complainer_id, at, message_id }: ComplaintRow,
  { call, texts, messages, media }: Course,
  frames: ComplaintCase['frames'],
): TimelineEntry[] {
  const entries: TimelineEntry[] = [
    ...texts.map((text) => toEntry(text, { in_dialog: false, is_reported: false })),
    // The call itself is here in more detail.
    ...messages
      .filter(({ type }) => type !== 'call')
      .map((text) => toEntry(text, { in_dialog: true, is_reported: text.id === message_id })),
    ...media.map(({ user_id, audio, video, at: changed_at }): TimelineEntry => ({
      type: 'media',
      at: wireTime(changed_at),
      user_id,
      audio,
      video,
    })),
    ...frames.map(({ id, at: asked_at, is_flagged }): TimelineEntry => ({
      type: 'frame',
      at: asked_at,
      id,
      is_flagged,
    })),
    complainer_id === null
      ? { type: 'opened', at: wireTime(at) }
      : { type: 'reported', at: wireTime(at), user_id: complainer_id },
  ]
  if (call?.connected_at) entries.push({ type: 'connected', at: wireTime(call.connected_at) })
  if (call?.private_at) entries.push({ type: 'private', at: wireTime(call.private_at) })
  if (call?.closed_at)
    entries.push({ type: 'ended', at: wireTime(call.closed_at), reason: call.reason ?? '' })
  return entries.toSorted((one, other) => one.at.localeCompare(other.at))
}

function toEntry(
  { type, sender_id: user_id, text, is_masked, gift, create_time }: CourseText,
  { in_dialog, is_reported }: { readonly in_dialog: boolean; readonly is_reported: boolean },
): TimelineEntry {
  const of = { at: wireTime(create_time), user_id }
  if (type === 'gift') return { type, ...of, gift: gift ?? '' }
  if (type === 'image') return { type, ...of, is_reported }
  if (type === 'like') return { type, ...of }
  return { type: 'text', ...of, text, is_masked, in_dialog, is_reported }
}
