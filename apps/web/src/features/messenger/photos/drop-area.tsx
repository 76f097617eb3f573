import { ImageIcon } from '@phosphor-icons/react/dist/csr/Image'
import { ProhibitIcon } from '@phosphor-icons/react/dist/csr/Prohibit'
import { useEffect } from 'react'
import { cx } from '@duet/ui'
import type { DropState } from './use-dropped-photos.ts'

/** Covers the dialog while a file is above it. No child takes the pointer, so the file leaves only at the edge. */
export function DropArea({ text, is_refused, end }: DropState) {
  const Icon = is_refused ? ProhibitIcon : ImageIcon
  // No pointer moves while a file is dragged. So a pointer that moves shows a leaving that the browser did not report.
  useEffect(() => {
    addEventListener('pointermove', end)
    return () => removeEventListener('pointermove', end)
  }, [end])
  return (
    <div
      aria-hidden
      data-drop-area
      onDragLeave={end}
      className="absolute inset-0 z-10 bg-surface-1/85 p-3 md:p-6"
    >
      <p
        className={cx(
          'title pointer-events-none flex size-full flex-col items-center justify-center gap-3 rounded-panel border-2 border-dashed px-6 text-center',
          is_refused ? 'border-line-strong text-text-2' : 'border-ember-hi text-text',
        )}
      >
        <Icon size={40} />
        {text}
      </p>
    </div>
  )
}
