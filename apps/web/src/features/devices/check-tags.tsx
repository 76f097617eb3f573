import type { ReactNode } from 'react'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { MicrophoneIcon } from '@phosphor-icons/react/dist/csr/Microphone'
import { SunIcon } from '@phosphor-icons/react/dist/csr/Sun'
import { t } from '../../shared/i18n.ts'
import { ON_PICTURE } from '../../shared/video/on-picture.ts'
import { useIsHd, useIsHeard, useIsLit, useLevel } from './device-checks.ts'

/** Shows at the bottom of the own picture how picture and microphone arrive at the partner. */
export function CheckTags({ level }: { level: number }) {
  const lit = useIsLit(true)
  const heard = useIsHeard(level)
  const hd = useIsHd()
  return (
    <ul
      role="status"
      className="absolute inset-x-[12%] bottom-4 z-1 flex flex-wrap justify-center gap-1.5"
    >
      {lit === null ? null : (
        <CheckTag isGood={lit} icon={<SunIcon size={14} weight="bold" />}>
          {t(lit ? 'video.check.light_good' : 'video.check.light_low')}
        </CheckTag>
      )}
      <CheckTag isGood={heard} icon={<MicrophoneIcon size={14} weight="bold" />}>
        {t(heard ? 'video.check.sound_good' : 'video.check.sound_none')}
      </CheckTag>
      <CheckTag isGood icon={null}>
        {t(hd ? 'video.check.picture_hd' : 'video.check.picture_clear')}
      </CheckTag>
    </ul>
  )
}

function CheckTag({
  isGood,
  icon,
  children,
}: {
  isGood: boolean
  icon: ReactNode
  children: ReactNode
}) {
  return (
    <li
      className={`meta flex min-h-6.5 items-center gap-1.5 rounded-full px-2.5 font-[540]! text-text ${ON_PICTURE}`}
    >
      {isGood ? (
        <CheckIcon size={13} weight="bold" className="text-ok" />
      ) : (
        <span className="text-warn">{icon}</span>
      )}
      {children}
    </li>
  )
}

/** Light, sound and picture of the own devices, shown on the own picture while the camera is open. */
export function DeviceCheck() {
  const level = useLevel(true)
  return <CheckTags level={level} />
}
