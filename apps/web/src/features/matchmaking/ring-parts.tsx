import { useEffect } from 'react'
import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { WarningIcon } from '@phosphor-icons/react/dist/csr/Warning'
import type { UserInterlocutor } from '@duet/protocol'
import { toRole } from '@duet/protocol/kernel/roles.ts'
import { Banner, Petal, Ring as TimeRing, Tag, useReducedMotion } from '@duet/ui'
import { useNow } from '../../shared/controls/use-time.ts'
import { t } from '../../shared/i18n.ts'
import { closeNotification } from '../../shared/navigation/close-notification.ts'
import { findSrcSet } from '../../shared/media/src-set.ts'
import { playSound, type SoundName } from '../../shared/sound.ts'
import { useTitleFlash } from '../../shared/controls/use-title-flash.ts'
import type { DirectPair, Ring } from './matchmaking-state.ts'
import { PriceLine } from './price-line.tsx'

const RING_EVERY_MS = 3000
const PORTRAIT_SIZES = '260px'

export function RingPortrait({ person }: { person: UserInterlocutor }) {
  return (
    <Petal
      shape={toRole(person.role) === 'girl' ? 'hers' : 'yours'}
      src={person.avatar ?? undefined}
      srcSet={findSrcSet(person.avatar_variants)}
      sizes={PORTRAIT_SIZES}
      alt=""
      light="ember"
      icon={person.avatar ? undefined : <UserIcon size={56} className="opacity-60" />}
      className="aspect-[4/5] w-[min(208px,24dvh)]"
    />
  )
}

/** A direct call is private: the mark says so beside the price. */
export function RingPrice({ pair }: { pair: DirectPair }) {
  return (
    <div className="flex flex-col items-center gap-3">
      <Tag tone="ember" size={28} icon={<LockSimpleIcon size={15} weight="fill" />}>
        {t('matching.offer.private')}
      </Tag>
      <PriceLine pair={pair} />
    </div>
  )
}

/** The seconds that are left of the ring. */
export function RingTime({ ring: { expires_at_ms, lasts_ms } }: { ring: Ring }) {
  const leftMs = Math.min(lasts_ms, Math.max(0, expires_at_ms - useNow(200)))
  const seconds = Math.ceil(leftMs / 1000)
  return (
    <TimeRing
      value={lasts_ms > 0 ? (seconds * 1000) / lasts_ms : 0}
      tone="current"
      size={34}
      label={t('matching.offer.seconds_left', { seconds })}
    >
      {seconds}
    </TimeRing>
  )
}

/** Rings by sound and by the title of the window, while the user has not ended the ring. */
export function useRinging(sound: SoundName, title: string, active: boolean): void {
  useTitleFlash(title, { active, flashes: !useReducedMotion() })
  useEffect(() => {
    if (!active) return
    playSound(sound)
    const timer = setInterval(() => playSound(sound), RING_EVERY_MS)
    return () => clearInterval(timer)
  }, [sound, active])
}

/** The call of another user rings here, and no longer in the message that the phone showed before. */
export function useIncomingRing({ pair, answer }: Ring): void {
  const { pair_id, user_interlocutor } = pair
  const title = t('matching.ring.calls', { nick: user_interlocutor.nick })
  useRinging('ring', title, answer !== 'end')
  useEffect(() => {
    closeNotification(`ring-${pair_id}`).catch(() => {})
  }, [pair_id])
}

/** The user accepted, and the browser gave no device. */
export function NoDevices({ ring }: { ring: Ring }) {
  if (ring.answer !== 'no_devices') return null
  return (
    <Banner className="mt-3" icon={<WarningIcon size={20} weight="fill" />}>
      {t('matching.ring.no_devices')}
    </Banner>
  )
}
