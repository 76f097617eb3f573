import { useLayoutEffect, useRef } from 'react'
import { useCallEngine } from '../call-context.tsx'

/** The one video element of every partner: it stays mounted from call to call. */
export function RemoteVideo({ label, isFaded }: { label: string; isFaded: boolean }) {
  const engine = useCallEngine()
  const element = useRef<HTMLVideoElement>(null)
  // A layout effect takes the stream back before the element leaves the document.
  useLayoutEffect(
    () => (element.current ? engine.attachRemote(element.current) : undefined),
    [engine],
  )
  return (
    <>
      <video
        ref={element}
        autoPlay
        playsInline
        disablePictureInPicture
        aria-label={label}
        data-remote-picture
        className="absolute inset-0 size-full object-cover"
      />
      {/* A grey layer: a filter on a live picture would be computed again for every frame. */}
      {isFaded ? <span aria-hidden className="absolute inset-0 bg-[rgb(38_34_33/.7)]" /> : null}
    </>
  )
}
