import { t } from '../../shared/i18n.ts'
import type { CallsState, RunningCall } from './calls-state.ts'

/** A sentence for screen readers; `assertive` interrupts what is being read. */
export interface Announcement {
  polite?: string
  assertive?: string
}

type Rule = (before: RunningCall, after: RunningCall, ownId: number | undefined) => string | null

const nickOf = ({ session }: RunningCall) => session.user_interlocutor.nick

/** One rule for each change within a call; the first that applies is announced. */
const RULES: readonly Rule[] = [
  (before, after) =>
    after.is_met && !before.is_met ? t('video.say.connected', { nick: nickOf(after) }) : null,
  (before, after) => (becamePaid(before, after) ? t('video.say.paid') : null),
  (before, after) =>
    after.session.state === 'private' && before.session.state === 'public'
      ? t('video.say.private')
      : null,
  (before, after) =>
    after.ask && !before.ask ? t('video.say.ask', { nick: nickOf(after) }) : null,
  (before, after, ownId) => {
    const latest = after.texts.at(-1)
    return latest && after.texts.length > before.texts.length && latest.sender_id !== ownId
      ? t('video.say.message', { nick: nickOf(after), text: latest.text })
      : null
  },
]

/** Announces a change of the call for a user who does not see the screen. */
export function announceCall(before: CallsState, after: CallsState): Announcement {
  const { call, left, own } = after
  if (left && !before.left && left.how === null)
    return { assertive: t('video.say.left', { nick: left.person.nick }) }
  if (!call || !before.call || call.session.id !== before.call.session.id) return {}
  for (const rule of RULES) {
    const polite = rule(before.call, call, own?.id)
    if (polite) return { polite }
  }
  return {}
}

function becamePaid({ meter: before }: RunningCall, { meter }: RunningCall): boolean {
  return meter?.phase === 'paid' && before?.phase !== 'paid' && meter.paid_seconds === 0
}
