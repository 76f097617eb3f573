import type { ReactElement } from 'react'
import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip'
import { cx } from '../class-names.ts'
import { KeyCap } from '../controls/key-cap.tsx'
import { popupLook } from './popup-look.ts'

export interface TooltipProps {
  /** The same words as the control's accessible name. */
  label: string
  /** The key with the same effect. */
  keys?: string
  side?: 'top' | 'bottom' | 'inline-start' | 'inline-end'
  /** One button. */
  children: ReactElement
}

/** The name of an icon and its key; never the only place of a text. */
export function Tooltip({ label, keys, side = 'top', children }: TooltipProps) {
  return (
    <BaseTooltip.Root>
      <BaseTooltip.Trigger render={children} delay={400} />
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner side={side} sideOffset={8} className="z-tooltip">
          <BaseTooltip.Popup
            className={cx(popupLook, 'meta flex items-center gap-2 rounded-control! px-2.5 py-1.5')}
          >
            {label}
            {keys ? <KeyCap>{keys}</KeyCap> : null}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  )
}
