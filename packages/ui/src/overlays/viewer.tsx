import type { KeyboardEvent, ReactNode } from 'react'
import { Dialog } from '@base-ui/react/dialog'
import { CaretLeftIcon } from '@phosphor-icons/react/dist/csr/CaretLeft'
import { CaretRightIcon } from '@phosphor-icons/react/dist/csr/CaretRight'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { IconButton } from '../controls/icon-button.tsx'

export interface ViewerProps {
  open: boolean
  onClose: () => void
  /** The name of the overlay for screen readers. */
  label: string
  labels: { close: string; previous: string; next: string }
  /** Undefined at the first item. */
  onPrevious?: (() => void) | undefined
  /** Undefined at the last item. */
  onNext?: (() => void) | undefined
  children: ReactNode
  /** Under the picture: a title, a like. */
  footer?: ReactNode
  /** The element that has the focus afterwards. By default the one that had it before. */
  finalFocus?: () => HTMLElement | null
}

/** Pictures over the whole screen, one at a time. Arrow keys change the picture, Escape closes. */
export function Viewer(props: ViewerProps) {
  const { open, onClose, label, labels, onPrevious, onNext, children, footer, finalFocus } = props
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const [previousKey, nextKey] = isRtl ? ['ArrowRight', 'ArrowLeft'] : ['ArrowLeft', 'ArrowRight']
    if (event.key === previousKey) onPrevious?.()
    if (event.key === nextKey) onNext?.()
  }
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-dialog bg-[rgb(8_5_4/.94)]" />
        <Dialog.Popup
          className="fixed inset-0 z-dialog flex flex-col outline-none"
          onKeyDown={onKeyDown}
          finalFocus={finalFocus && (() => finalFocus() ?? true)}
        >
          <Dialog.Title className="sr-only">{label}</Dialog.Title>
          <div className="flex justify-end p-3 md:p-5">
            <Dialog.Close
              render={
                <IconButton variant="glass" label={labels.close} icon={<XIcon size={20} />} />
              }
            />
          </div>
          <div className="relative flex min-h-0 flex-1 items-center justify-center px-3 md:px-20">
            {children}
            {onPrevious ? (
              <IconButton
                className="absolute! start-3 md:start-5"
                variant="glass"
                label={labels.previous}
                icon={<CaretLeftIcon size={20} className="mirror" />}
                onClick={onPrevious}
              />
            ) : null}
            {onNext ? (
              <IconButton
                className="absolute! end-3 md:end-5"
                variant="glass"
                label={labels.next}
                icon={<CaretRightIcon size={20} className="mirror" />}
                onClick={onNext}
              />
            ) : null}
          </div>
          <div className="min-h-16 px-5 pt-3 pb-[max(20px,env(safe-area-inset-bottom))] text-center text-white">
            {footer}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
