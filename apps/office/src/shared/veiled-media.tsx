import { EyeIcon, EyeSlashIcon } from '@phosphor-icons/react'
import { useRef, useState } from 'react'
import { Button } from '@duet/ui/controls/button.tsx'
import { KeyCap } from '@duet/ui/controls/key-cap.tsx'
import { cx } from '@duet/ui/class-names.ts'
import { useKeys } from './keys/use-keys.ts'
import { useStaff } from './session.tsx'
import { t } from './texts.ts'

interface MediaProps {
  kind: 'photo' | 'video'
  /** The address of the upload, without its form. */
  address: string
  label: string
  /** A dialog has its own keys, and less space. */
  isInDialog?: boolean
}

/** A picture, or a video without sound, that is blurred until its viewer shows it. */
export function VeiledMedia({ kind, address, label, isInDialog = false }: MediaProps) {
  const [isClear, setClear] = useState(false)
  const video = useRef<HTMLVideoElement>(null)
  const toggle = () => {
    setClear(!isClear)
    if (isClear) video.current?.pause()
    else void video.current?.play().catch(() => {})
  }
  useKeys({ ' ': toggle, b: toggle })
  const height = isInDialog ? 'max-h-[44dvh]' : 'max-h-[70dvh]'
  const className = cx(height, 'w-full object-contain', !isClear && 'veiled')
  return (
    <>
      <div className="relative overflow-hidden rounded-field bg-surface-2">
        {kind === 'photo' ? (
          <img alt={label} className={className} src={`${address}/picture`} />
        ) : (
          <>
            <video
              ref={video}
              muted
              loop
              playsInline
              disablePictureInPicture
              controls={isClear}
              controlsList="nodownload noremoteplayback"
              preload="auto"
              aria-label={label}
              className={className}
              src={`${address}/video`}
            />
            <ViewerName />
          </>
        )}
      </div>
      <Button
        className="self-start"
        size={36}
        variant="secondary"
        aria-pressed={isClear}
        icon={isClear ? <EyeSlashIcon size={18} /> : <EyeIcon size={18} />}
        onClick={toggle}
      >
        {isClear ? t('office.evidence.hide') : t('office.evidence.show')}{' '}
        {!isInDialog && <KeyCap>Space</KeyCap>}
      </Button>
    </>
  )
}

/** A video names its viewer by the page: the server does not encode it again for each of them. */
function ViewerName() {
  const { email } = useStaff()
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute inset-0 grid place-items-center font-semibold text-white/50 [text-shadow:0_1px_2px_black]"
    >
      {email}
    </span>
  )
}
