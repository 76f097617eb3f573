import { useEffect, useRef, useState } from 'react'
import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { Button, Ring, Tag } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { usePageVisibility } from '../../shared/controls/use-page-visibility.ts'
import { useKeys } from '../../shared/controls/use-keys.ts'
import { OwnPicture } from '../../shared/video/screen-parts.tsx'
import { useCallCommands } from './call-context.tsx'
import { useCanAddMinutes } from '../../shared/queries.ts'
import { useOwnUser } from '../../shared/account/own-user.tsx'
import { useNow } from '../../shared/controls/use-time.ts'
import { useStore } from '../../shared/observable-store.ts'
import { askedCall } from '../../shared/video/call-question-card.tsx'
import { MetPerson } from '../../shared/video/met-person.tsx'
import { MessageScreen } from '../../shared/video/screen-frame.tsx'
import type { EndedCall } from './calls-state.ts'
import { ReceiptLines } from '../../shared/video/receipt-lines.tsx'
import { getReceiptText, getReceiptTitle } from './receipt-texts.ts'

const NEXT_IN_SECONDS = 3
const READ_EVERY_MS = 200
/** The partner or the connection left: only then the next search starts by itself. */
const GOES_ON = new Set<EndedCall['receipt']['reason']>([
  'left',
  'break',
  'partner_lost',
  'media_lost',
  'server',
])

/** The call is over. The next search of the guy starts by itself unless the guy touches anything. */
export function ReceiptScreen({ left, onStart }: { left: EndedCall; onStart: () => void }) {
  const commands = useCallCommands()
  const { role } = useOwnUser()
  const secondsLeft = useSecondsLeft(left, onStart)
  useKeys({ Enter: onStart, N: onStart, Escape: commands.closeReceipt })
  const isPoor = left.receipt.reason === 'no_balance' && role === 'guy'
  const canAdd = useCanAddMinutes()
  return (
    <MessageScreen
      pair={{
        hers: left.person.avatar
          ? { src: left.person.avatar, alt: left.person.nick, dimmed: true, priority: 'high' }
          : { light: 'ember', dimmed: true },
        yours: { children: <OwnPicture /> },
      }}
      title={getReceiptTitle(left, role === 'girl')}
      text={getReceiptText(left, { isGirl: role === 'girl', canAdd })}
      actions={
        <>
          <MetPerson left={left} onBlocked={commands.closeReceipt} />
          {isPoor && canAdd ? <AddMinutesButton left={left} /> : null}
          {isPoor ? null : <NextButton secondsLeft={secondsLeft} onStart={onStart} />}
          <Button variant="quiet" wide onClick={commands.closeReceipt}>
            {t('action.not_now')}
          </Button>
        </>
      }
    >
      {left.is_direct ? (
        <p className="mt-3 flex md:justify-center">
          <Tag tone="ember" size={28} icon={<LockSimpleIcon size={15} weight="fill" />}>
            {t('video.call.private')}
          </Tag>
        </p>
      ) : null}
      {left.receipt.seconds > 0 ? <ReceiptLines receipt={left.receipt} /> : null}
    </MessageScreen>
  )
}

/** Until the next search starts by itself; null if it does not. */
function useSecondsLeft(left: EndedCall, onStart: () => void): number | null {
  const { role } = useOwnUser()
  const [isOff, setOff] = useState(false)
  const { isVisible, shown_at_ms } = usePageVisibility()
  const from = Math.max(left.at_ms, shown_at_ms)
  const wasInTime = useRef(secondsToNext(left.at_ms, Date.now()) > 0).current
  const isFromSearch = role === 'guy' && left.how === null && !left.is_direct
  const mayGoOn = isFromSearch && GOES_ON.has(left.receipt.reason)
  const isAsked = useStore(askedCall) === left.receipt.session_id
  const goesOn = mayGoOn && wasInTime && isVisible && !isOff && !isAsked
  const seconds = secondsToNext(from, useNow(READ_EVERY_MS, goesOn))
  useEffect(() => {
    if (goesOn && seconds === 0) onStart()
  }, [goesOn, seconds, onStart])
  useAnyTouch(() => setOff(true))
  return goesOn ? seconds : null
}

/** Counts from the end of the call. A receipt that is opened later, after another page, starts nothing. */
function secondsToNext(fromMs: number, nowMs: number): number {
  return Math.min(
    NEXT_IN_SECONDS,
    Math.max(0, Math.ceil(NEXT_IN_SECONDS - (nowMs - fromMs) / 1000)),
  )
}

function AddMinutesButton({ left }: { left: EndedCall }) {
  return (
    <Button
      variant="primary"
      size={54}
      wide
      onClick={() =>
        dialogs.open('not_balance', {
          last_interlocutor: left.person,
          talked_seconds: left.receipt.seconds,
        })
      }
    >
      {t('action.add_minutes')}
    </Button>
  )
}

/** Starts the next search. If the search starts automatically, the ring counts down. */
function NextButton({ secondsLeft, onStart }: { secondsLeft: number | null; onStart: () => void }) {
  const ring =
    secondsLeft === null ? undefined : (
      <Ring
        value={secondsLeft / NEXT_IN_SECONDS}
        tone="current"
        size={30}
        label={t('video.after.next_in', { seconds: secondsLeft })}
      >
        {secondsLeft}
      </Ring>
    )
  return (
    <Button variant="primary" size={54} wide onClick={onStart} end={ring}>
      {t('action.next_person')}
    </Button>
  )
}

/** Any touch means that the user wants to look at the receipt for longer. */
function useAnyTouch(touched: () => void): void {
  useEffect(() => {
    const events = ['pointerdown', 'keydown', 'wheel'] as const
    for (const event of events) addEventListener(event, touched, { passive: true })
    return () => {
      for (const event of events) removeEventListener(event, touched)
    }
  }, [touched])
}
