import { useEffect, useEffectEvent, useRef } from 'react'
import { formatDuration } from '../../shared/texts/durations.ts'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/account/own-user.tsx'
import { useCalls } from './call-context.tsx'
import { readMeter } from './meter-clock.ts'

/** Each of these times is announced once. The timer itself is never announced. */
const WARN_AT_SECONDS = [60, 180] as const
/** A balance that grew by this much above a threshold may be announced again when it falls below. */
const FORGET_ABOVE_SECONDS = 15
const READ_EVERY_MS = 1_000

export type LowBalance = (typeof WARN_AT_SECONDS)[number]

/** The threshold above the remaining seconds, or null. A reached threshold stays until the user adds minutes. */
export function lowBalanceAt(left: number, known: LowBalance | null): LowBalance | null {
  const reached = WARN_AT_SECONDS.find((seconds) => left <= seconds) ?? null
  const isAddedTo = known !== null && left > known + FORGET_ABOVE_SECONDS
  if (known === null || isAddedTo) return reached
  return reached !== null && reached < known ? reached : known
}

/** "3 minutes left": whole minutes, as they are spoken. */
export function lowBalanceText(left: number): string {
  const isAboutMinutes = left > 45
  return t('video.say.time_left', {
    duration: formatDuration(isAboutMinutes ? Math.round(left / 60) * 60 : left),
  })
}

/** Calls back once at three minutes and once at one minute of the guy's remaining time. */
export function useLowBalance(onLow: (threshold: LowBalance, left: number) => void): void {
  const { call, clock } = useCalls()
  const { role, balance } = useOwnUser()
  const known = useRef<LowBalance | null>(null)
  const isGuy = role === 'guy'
  const read = useEffectEvent(() => {
    if (!call) return
    const { left, phase } = readMeter(call, clock, balance, Date.now())
    if (left === null || phase === 'waiting') return
    const before = known.current
    known.current = lowBalanceAt(left, before)
    if (known.current !== null && known.current !== before) onLow(known.current, left)
  })
  const sessionId = isGuy ? call?.session.id : undefined
  useEffect(() => {
    known.current = null
    if (sessionId === undefined) return
    read()
    const timer = setInterval(read, READ_EVERY_MS)
    return () => clearInterval(timer)
  }, [sessionId])
}
