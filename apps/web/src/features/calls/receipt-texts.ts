import { t } from '../../shared/i18n.ts'
import { formatDuration } from '../../shared/texts/durations.ts'
import type { EndedCall } from './calls-state.ts'

/** How the call ended, in one sentence: the title of the receipt, and what a screen reader says. */
export function getReceiptTitle(
  { receipt: { reason, seconds }, person: { nick }, how, is_met }: EndedCall,
  isGirl: boolean,
): string {
  if (how !== null) return t(is_met ? 'video.after.you_left' : 'video.after.not_met', { nick })
  if (reason === 'no_balance' && !isGirl)
    return t('video.after.no_balance', { nick, duration: formatDuration(seconds) })
  if (
    reason === 'not_connected' ||
    reason === 'media_lost' ||
    reason === 'server' ||
    reason === 'moderator'
  )
    return t(`video.after.${reason}`)
  return t('video.after.had_to_go', { nick })
}

export function getReceiptText(
  { receipt }: EndedCall,
  { isGirl, canAdd }: { isGirl: boolean; canAdd: boolean },
): string {
  const { reason, seconds, paid_seconds } = receipt
  if (reason === 'not_connected') return t('video.after.not_connected_text')
  if (seconds === 0) return isGirl ? '' : t('video.after.not_connected_text')
  if (reason === 'no_balance' && !isGirl)
    return t(canAdd ? 'video.after.no_balance_text' : 'video.after.no_minutes_text')
  const duration = formatDuration(seconds)
  if (isGirl) return t('video.after.text_girl', { duration })
  return paid_seconds === 0 && seconds < 60
    ? t('video.after.text_short')
    : t('video.after.text', { duration })
}
