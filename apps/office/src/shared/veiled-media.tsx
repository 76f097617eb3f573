import { useRef } from 'react'
import { cx } from '@duet/ui/class-names.ts'
import { useVeil, VeilButton } from './evidence/veil.tsx'
import { useStaff } from './session.tsx'

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
  const video = useRef<HTMLVideoElement>(null)
  const veil = useVeil((isShown) => {
    if (isShown) void video.current?.play().catch(() => {})
    else video.current?.pause()
  })
  const { isClear } = veil
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
      <div>
        <VeilButton {...veil} hasKey={!isInDialog} />
      </div>
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
