import type { ReactNode } from 'react'
import { cx } from '../class-names.ts'
import { useZoom } from './use-zoom.ts'

/** A picture in a viewer that can be enlarged: double press, wheel, two fingers, + and -, and 0 for the whole picture. */
export function Zoomable({ children }: { children: ReactNode }) {
  const { frame, zoom, handlers } = useZoom()
  const { scale, x, y } = zoom
  return (
    <div
      ref={frame}
      data-zoom={scale.toFixed(2)}
      {...handlers}
      className={cx(
        'size-full touch-none overflow-hidden select-none',
        scale > 1 ? 'cursor-grab' : 'cursor-zoom-in',
      )}
    >
      <div
        className="flex size-full items-center justify-center"
        style={{ transform: `translate(${x}px, ${y}px) scale(${scale})` }}
      >
        {children}
      </div>
    </div>
  )
}
