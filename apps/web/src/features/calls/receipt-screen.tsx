import { useEffect, useState } from 'react'
import { Button, Ring, useCountdown } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { useKeys } from '../../shared/video/use-keys.ts'
import { OwnPicture } from '../../shared/video/screen-parts.tsx'
import { durationOf } from '../../shared/video/person-text.ts'
import { useCallCommands } from './call-context.tsx'
import { useOwnUser } from '../../shared/video/own-user.tsx'
import { StoryScene } from '../../shared/video/scene-frame.tsx'
import type { EndedCall } from './calls-state.ts'
import { ReceiptLines } from './receipt-lines.tsx'

const NEXT_IN_SECONDS = 3
/** The other one went, or the line did: only then the next person comes by itself. */
const GOES_ON = new Set<EndedCall['receipt']['reason']>([
  'left',
  'break',
  'partner_lost',
  'media_lost',
])

/** The call is over. His next one comes by itself unless he touches anything. */
export function ReceiptScreen({ left, onStart }: { left: EndedCall; onStart: () => void }) {
  const commands = useCallCommands()
  const { role } = useOwnUser()
  const [isOff, setOff] = useState(false)
  const goesOn = role === 'guy' && left.how === null && GOES_ON.has(left.receipt.reason) && !isOff
  const seconds = useCountdown(NEXT_IN_SECONDS, goesOn)
  useEffect(() => {
    if (goesOn && seconds === 0) onStart()
  }, [goesOn, seconds, onStart])
  useAnyTouch(() => setOff(true))
  useKeys({ Enter: onStart, N: onStart, Escape: commands.closeReceipt })
  const isPoor = left.receipt.reason === 'no_balance' && role === 'guy'
  return (
    <StoryScene
      pair={{
        hers: left.person.avatar
          ? { src: left.person.avatar, alt: left.person.nick, dimmed: true, priority: 'high' }
          : { light: 'ember', dimmed: true },
        yours: { children: <OwnPicture /> },
      }}
      title={titleOf(left, role === 'girl')}
      text={textOf(left, role === 'girl')}
      actions={
        <>
          {isPoor ? (
            <Button
              variant="primary"
              size={54}
              wide
              onClick={() => dialogs.open('not_balance', { last_interlocutor: left.person })}
            >
              {t('video.after.add_minutes')}
            </Button>
          ) : (
            <Button
              variant="primary"
              size={54}
              wide
              onClick={onStart}
              end={
                goesOn ? (
                  <Ring
                    value={seconds / NEXT_IN_SECONDS}
                    tone="current"
                    size={30}
                    label={t('video.after.next_in', { seconds })}
                  >
                    {seconds}
                  </Ring>
                ) : undefined
              }
            >
              {t('video.after.next')}
            </Button>
          )}
          <Button variant="quiet" wide onClick={commands.closeReceipt}>
            {t('video.after.stay')}
          </Button>
        </>
      }
    >
      {left.receipt.seconds > 0 ? <ReceiptLines receipt={left.receipt} /> : null}
    </StoryScene>
  )
}

/** Any touch means that somebody wants to look at this for longer. */
function useAnyTouch(touched: () => void): void {
  useEffect(() => {
    const events = ['pointerdown', 'keydown', 'wheel'] as const
    for (const event of events) addEventListener(event, touched, { passive: true })
    return () => {
      for (const event of events) removeEventListener(event, touched)
    }
  }, [touched])
}

function titleOf(
  { receipt: { reason, seconds }, person: { nick }, how }: EndedCall,
  isGirl: boolean,
): string {
  if (how !== null) return t('video.after.you_left', { nick })
  if (reason === 'no_balance' && !isGirl)
    return t('video.after.no_balance', { nick, duration: durationOf(seconds) })
  if (
    reason === 'not_connected' ||
    reason === 'media_lost' ||
    reason === 'server' ||
    reason === 'moderator'
  )
    return t(`video.after.${reason}`)
  return t('video.after.had_to_go', { nick })
}

function textOf({ receipt }: EndedCall, isGirl: boolean): string {
  const { reason, seconds, paid_seconds } = receipt
  if (reason === 'not_connected') return t('video.after.not_connected_text')
  if (reason === 'no_balance' && !isGirl) return t('video.after.no_balance_text')
  const duration = durationOf(seconds)
  if (isGirl) return t('video.after.text_girl', { duration })
  return paid_seconds === 0 && seconds < 60
    ? t('video.after.text_short')
    : t('video.after.text', { duration })
}
