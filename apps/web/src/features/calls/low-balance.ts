import { useEffect, useRef, useState } from 'react'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/video/own-user.tsx'
import { playSound } from '../../shared/sound.ts'
import { useCalls } from './call-context.tsx'
import { readMeter } from './meter-clock.ts'

const WARNINGS = [
  { seconds: 60, text: 'video.say.one' },
  { seconds: 180, text: 'video.say.low' },
] as const

const READ_EVERY_MS = 1_000

/** The warning at three minutes and at one minute, announced once each; the timer itself is never announced. */
export function useLowBalanceWarning(): string | null {
  const { call, clock } = useCalls()
  const { role, balance } = useOwnUser()
  const [text, setText] = useState<string | null>(null)
  const latest = useRef<number | null>(null)
  const isGuy = role === 'guy'
  useEffect(() => {
    if (!call || !isGuy) {
      latest.current = null
      setText(null)
      return
    }
    const read = () => {
      const { left, phase } = readMeter(call, clock, balance, Date.now())
      const warning =
        left === null || phase === 'waiting'
          ? undefined
          : WARNINGS.find(({ seconds }) => left <= seconds)
      if ((warning?.seconds ?? null) === latest.current) return
      latest.current = warning?.seconds ?? null
      if (warning?.seconds === 60) playSound('minute')
      setText(warning ? t(warning.text) : null)
    }
    read()
    const timer = setInterval(read, READ_EVERY_MS)
    return () => clearInterval(timer)
  }, [call, clock, isGuy, balance])
  return text
}
