import { useEffect, useLayoutEffect, useRef } from 'react'
import { useCallEngine } from '../call-context.tsx'
import { watchDroppedFrames } from '../../../shared/video/dropped-frames.ts'

interface RemoteVideoProps {
  label: string
  isPlaying: boolean
  isFaded: boolean
}

/** One video element shows every partner. The element stays mounted from call to call. */
export function RemoteVideo({ label, isPlaying, isFaded }: RemoteVideoProps) {
  const engine = useCallEngine()
  const element = useRef<HTMLVideoElement>(null)
  // A layout effect takes the stream back before the element leaves the document.
  useLayoutEffect(
    () => (element.current ? engine.attachRemote(element.current) : undefined),
    [engine],
  )
  useEffect(
    () =>
      isPlaying && element.current ? watchDroppedFrames(element.current, paintLess) : undefined,
    [isPlaying],
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

/** Glass is painted solid from now on, as on devices with little memory. */
function paintLess(): void {
  document.documentElement.dataset.lean = ''
}
