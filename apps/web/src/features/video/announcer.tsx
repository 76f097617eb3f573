import { useEffect, useRef, useState } from 'react'
import type { DeviceState } from '@duet/call-engine'
import { t } from '../../shared/i18n.ts'
import { playSound } from '../../shared/sound.ts'
import { useCallState, useMedia } from './room.tsx'
import type { CallState } from './state/call-state.ts'
import { readMeter } from './state/meter-clock.ts'

interface Said {
  polite?: string
  assertive?: string
}

/** Speaks what a sighted person would notice: who was found, when it begins to cost, what little is left, who went. */
export function Announcer() {
  const state = useCallState()
  const { camera } = useMedia()
  const before = useRef<{ state: CallState; camera: typeof camera }>({ state, camera })
  const [said, setSaid] = useState<Said>({})
  useEffect(() => {
    const next = news(before.current.state, state)
    if (isMissing(camera) && !isMissing(before.current.camera) && state.gate === null)
      next.assertive = t('video.say.camera_lost')
    before.current = { state, camera }
    if (next.polite || next.assertive) setSaid(next)
  }, [state, camera])
  const low = useLow(state)
  return (
    <>
      <p role="status" className="sr-only">
        {low ?? said.polite}
      </p>
      <p role="alert" className="sr-only">
        {said.assertive}
      </p>
    </>
  )
}

/** The screens of the gate explain a missing camera themselves. */
function isMissing(camera: DeviceState): boolean {
  return camera === 'lost' || camera === 'refused'
}

function news(before: CallState, after: CallState): Said {
  const { offer, call, left } = after
  const nick = call?.session.user_interlocutor.nick ?? ''
  if (offer && offer.pair.pair_id !== before.offer?.pair.pair_id && offer.pair.kind !== 'preview')
    return { polite: t('video.say.found', { nick: offer.pair.user_interlocutor.nick }) }
  if (left && !before.left && left.how === null)
    return { assertive: t('video.say.left', { nick: left.person.nick }) }
  if (!call || call.session.id !== before.call?.session.id) return {}
  if (call.is_met && !before.call.is_met) return { polite: t('video.say.connected', { nick }) }
  if (
    call.meter?.phase === 'paid' &&
    before.call.meter?.phase !== 'paid' &&
    call.meter.paid_seconds === 0
  )
    return { polite: t('video.say.paid') }
  if (call.session.state === 'private' && before.call.session.state === 'public')
    return { polite: t('video.say.private') }
  if (call.ask && !before.call.ask) return { polite: t('video.say.ask', { nick }) }
  const latest = call.texts.at(-1)
  if (latest && call.texts.length > before.call.texts.length && latest.sender_id !== after.me?.id) {
    playSound('message')
    return { polite: t('video.say.message', { nick, text: latest.text }) }
  }
  return {}
}

const LOW = [
  { seconds: 60, text: 'video.say.one' },
  { seconds: 180, text: 'video.say.low' },
] as const

/** Three minutes and one, said once each when they come; the timer itself is never announced. */
function useLow({ call, clock, me }: CallState): string | null {
  const [text, setText] = useState<string | null>(null)
  const latest = useRef<number | null>(null)
  const isHis = me?.role === 'guy'
  useEffect(() => {
    if (!call || !isHis) {
      latest.current = null
      setText(null)
      return
    }
    const look = () => {
      const { left, phase } = readMeter(call, clock, me?.balance ?? null, Date.now())
      const step =
        left === null || phase === 'waiting'
          ? undefined
          : LOW.find(({ seconds }) => left <= seconds)
      if (step?.seconds === latest.current) return
      latest.current = step?.seconds ?? null
      if (step?.seconds === 60) playSound('minute')
      setText(step ? t(step.text) : null)
    }
    look()
    const timer = setInterval(look, 1000)
    return () => clearInterval(timer)
  }, [call, clock, isHis, me?.balance])
  return text
}
