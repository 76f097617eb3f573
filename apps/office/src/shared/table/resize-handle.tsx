import type { KeyboardEvent, SyntheticEvent } from 'react'
import { t } from '../texts.ts'

export const MIN_WIDTH = 48
export const MAX_WIDTH = 1200
const STEP = 16

interface ResizeHandleProps {
  column: string
  width: number
  isRtl: boolean
  /** Follows the pointer from here. */
  onPress: (event: SyntheticEvent) => void
  onStep: (by: number) => void
  onReset: () => void
}

/** The end of a column's header: it is dragged, or moved by the arrow keys. A double click or Home gives the table its own widths again. */
export function ResizeHandle(props: ResizeHandleProps) {
  const { column, width, isRtl, onPress, onStep, onReset } = props
  const step = isRtl ? -STEP : STEP
  const keys = new Map([
    ['ArrowRight', () => onStep(step)],
    ['ArrowLeft', () => onStep(-step)],
    ['Home', onReset],
  ])
  const pressKey = (event: KeyboardEvent) => {
    const run = keys.get(event.key)
    if (!run) return
    event.preventDefault()
    run()
  }
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('office.table.width', { column })}
      aria-valuenow={Math.round(width)}
      aria-valuemin={MIN_WIDTH}
      aria-valuemax={MAX_WIDTH}
      className="absolute inset-y-0 end-0 w-3 cursor-col-resize touch-none after:absolute after:inset-y-2 after:end-0 after:w-px after:bg-hair hover:after:w-0.5 hover:after:bg-ember focus-visible:after:bg-ember"
      onMouseDown={(event) => {
        event.preventDefault()
        onPress(event)
      }}
      onTouchStart={onPress}
      onDoubleClick={onReset}
      onKeyDown={pressKey}
    />
  )
}
