import { t } from '../../shared/i18n.ts'
import type { CallsState, RunningCall } from './calls-state.ts'
import { getReceiptTitle } from './receipt-texts.ts'

/** A sentence for screen readers. An urgent sentence interrupts the present sentence. */
export interface Announcement {
  text: string
  is_urgent?: boolean
}

type Rule = (
  before: RunningCall,
  after: RunningCall,
  ownId: number | undefined,
) => readonly string[]

const getNick = ({ session }: RunningCall) => session.user_interlocutor.nick

/** A rule for each kind of change within a call, in the order of announcement. */
const RULES: readonly Rule[] = [
  (before, after) =>
    after.is_met && !before.is_met ? [t('video.say.connected', { nick: getNick(after) })] : [],
  (before, after) => (becamePaid(before, after) ? [t('video.say.paid')] : []),
  (before, after) =>
    after.session.state === 'private' && before.session.state === 'public'
      ? [t('video.say.private')]
      : [],
  (before, after) =>
    after.ask && !before.ask ? [t('video.say.ask', { nick: getNick(after) })] : [],
  newTexts,
]

/** The sentences about a change of the calls, for a user who does not see the screen. */
export function announceCall(before: CallsState, after: CallsState): readonly Announcement[] {
  const { call, left, own } = after
  if (left && !before.left && left.how === null)
    return [{ text: getReceiptTitle(left, own?.role === 'girl'), is_urgent: true }]
  const known = before.call
  if (!call || call.session.id !== known?.session.id) return []
  return RULES.flatMap((rule) => rule(known, call, own?.id)).map((text) => ({ text }))
}

/**
 * The log of texts is not a live region. So a screen reader reads each text of the partner once, whether the log is
 * open or not.
 */
function newTexts(
  before: RunningCall,
  after: RunningCall,
  ownId: number | undefined,
): readonly string[] {
  if (after.texts === before.texts) return []
  const latestKnown = Math.max(0, ...before.texts.map(({ text_id }) => text_id ?? 0))
  return after.texts
    .filter(({ text_id, sender_id }) => (text_id ?? 0) > latestKnown && sender_id !== ownId)
    .map(({ text }) => t('video.say.message', { nick: getNick(after), text }))
}

function becamePaid({ meter: before }: RunningCall, { meter }: RunningCall): boolean {
  return meter?.phase === 'paid' && before?.phase !== 'paid' && meter.paid_seconds === 0
}
