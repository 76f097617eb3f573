import { useEffect, useRef } from 'react'
import { cx } from '@duet/ui'
import { useCallEngine } from '../call-context.tsx'

/** The one video element of every partner: never made again, only dressed differently. */
export function RemoteVideo({ label, isFaded }: { label: string; isFaded: boolean }) {
  const engine = useCallEngine()
  const element = useRef<HTMLVideoElement>(null)
  useEffect(() => (element.current ? engine.attachRemote(element.current) : undefined), [engine])
  return (
    <video
      ref={element}
      autoPlay
      playsInline
      disablePictureInPicture
      aria-label={label}
      data-remote-picture
      className={cx(
        'absolute inset-0 size-full object-cover transition-[filter] duration-scene',
        isFaded && 'brightness-75 grayscale-[.7]',
      )}
    />
  )
}
