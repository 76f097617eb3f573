import type { ReactElement, ReactNode } from 'react'
import { Popover as BasePopover } from '@base-ui/react/popover'
import { cx } from '../class-names.ts'
import { popupLook } from './popup-look.ts'

export interface PopoverProps {
  /** The button that opens the panel. Without it the panel needs an anchor. */
  trigger?: ReactElement
  /** The element beside which the panel stands, where it is not the trigger. */
  anchor?: Element
  title?: ReactNode
  children: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  align?: 'start' | 'center' | 'end'
  side?: 'top' | 'bottom' | 'inline-start' | 'inline-end'
  className?: string
}

/** A small panel beside the button that opens the panel. The page stays usable. */
export function Popover(props: PopoverProps) {
  const {
    trigger,
    anchor,
    title,
    children,
    open,
    onOpenChange,
    align = 'center',
    side = 'bottom',
    className,
  } = props
  return (
    <BasePopover.Root open={open} onOpenChange={onOpenChange}>
      {trigger ? <BasePopover.Trigger render={trigger} /> : null}
      <BasePopover.Portal>
        <BasePopover.Positioner
          anchor={anchor}
          side={side}
          align={align}
          sideOffset={10}
          collisionPadding={12}
          className="z-popup"
        >
          <BasePopover.Popup className={cx(popupLook, 'max-w-(--available-width) p-4', className)}>
            {title ? <BasePopover.Title className="title mb-2">{title}</BasePopover.Title> : null}
            {children}
          </BasePopover.Popup>
        </BasePopover.Positioner>
      </BasePopover.Portal>
    </BasePopover.Root>
  )
}
