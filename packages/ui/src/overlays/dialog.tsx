import type { ReactNode, RefObject } from 'react'
import { Drawer } from '@base-ui/react/drawer'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { cx } from '../class-names.ts'
import { useMobile } from '../use-media-query.ts'

export interface DialogProps {
  open: boolean
  /** Called on Escape, a press on the scrim or the cross, or a drag down. A blocking dialog never calls it. */
  onClose?: () => void
  title: ReactNode
  /** The title is for screen readers only. */
  titleHidden?: boolean
  /** One or two sentences under the title. */
  description?: ReactNode
  children?: ReactNode
  /** Actions. On mobile they stay pinned under the scrolling content. */
  actions?: ReactNode
  /** 480, 640 or 992 px; a full-width sheet at 768 and less. */
  size?: 480 | 640 | 992
  /** The dialog has no cross, and neither Escape nor the scrim nor a drag closes the dialog. */
  blocking?: boolean
  /** A blocking dialog lies above all others. On the layer `dialog` other dialogs can open above it. */
  layer?: 'blocking' | 'dialog'
  /** The name of the cross for screen readers. Without a name there is no cross. */
  closeLabel?: string
  /** In a dialog of 992 px: the picture column at the start. */
  aside?: ReactNode
  /** Above the title, in the middle: the mark, an icon, a portrait. */
  emblem?: ReactNode
  align?: 'start' | 'center'
  role?: 'dialog' | 'alertdialog'
  initialFocus?: RefObject<HTMLElement | null>
  className?: string
}

const widths = { 480: 'md:max-w-[480px]', 640: 'md:max-w-[640px]', 992: 'md:max-w-[992px]' }

const popupLook = cx(
  'relative flex max-h-[92dvh] w-full min-h-0 flex-col overflow-hidden rounded-t-dialog bg-surface-1 text-text outline-none',
  'shadow-[inset_0_0_0_1px_var(--hair),var(--elevation-3)] transition-[transform,opacity] duration-sheet ease-out',
  '[transform:translateY(var(--drawer-swipe-movement-y))] data-swiping:duration-0',
  'max-md:data-starting-style:[transform:translateY(100%)] max-md:data-ending-style:[transform:translateY(100%)]',
  'data-ending-style:duration-[calc(var(--motion-sheet)*.7)] data-ending-style:ease-in',
  'md:rounded-dialog md:data-starting-style:[transform:translateY(calc(16px*var(--move)))] md:data-starting-style:opacity-0',
  'md:data-ending-style:opacity-0',
)

/** A modal dialog; at 768 px and less a sheet from below with a grab bar. Focus is trapped and returns to the opener. */
export function Dialog(props: DialogProps) {
  const {
    open,
    onClose,
    blocking = false,
    layer = blocking ? 'blocking' : 'dialog',
    size = 480,
    aside,
    role = 'dialog',
    initialFocus,
    className,
  } = props
  const mobile = useMobile()
  const zIndex = layer === 'blocking' ? 'z-blocking' : 'z-dialog'
  return (
    <Drawer.Root
      open={open}
      onOpenChange={(next, details) => (next || blocking ? details.cancel() : onClose?.())}
      disablePointerDismissal={blocking}
    >
      <Drawer.Portal>
        <Drawer.Backdrop
          className={cx(
            'fixed inset-0 bg-scrim opacity-[calc(1-var(--drawer-swipe-progress))] transition-opacity duration-sheet',
            'data-starting-style:opacity-0 data-ending-style:opacity-0 data-swiping:duration-0',
            zIndex,
          )}
        />
        <Drawer.Viewport
          className={cx(
            'fixed inset-0 flex items-end justify-center md:items-center md:p-6',
            zIndex,
          )}
        >
          <Drawer.Popup
            role={role}
            initialFocus={initialFocus}
            className={cx(popupLook, widths[size], className)}
          >
            {/* Only the sheet can be dragged. On a desktop dialog a mouse selects text. A blocking dialog stays. */}
            <div
              className="flex min-h-0 flex-1 flex-col"
              data-base-ui-swipe-ignore={blocking || !mobile ? '' : undefined}
            >
              {mobile ? (
                <span
                  aria-hidden
                  className="mx-auto mt-3 h-1 w-10 shrink-0 rounded-full bg-surface-4"
                />
              ) : null}
              <div
                className={cx('flex min-h-0 flex-1 flex-col', aside ? 'md:flex-row' : undefined)}
              >
                {aside ? <div className="shrink-0 max-md:hidden md:w-[400px]">{aside}</div> : null}
                <DialogBody {...props} />
              </div>
            </div>
          </Drawer.Popup>
        </Drawer.Viewport>
      </Drawer.Portal>
    </Drawer.Root>
  )
}

function DialogBody(props: DialogProps) {
  const {
    title,
    titleHidden,
    description,
    children,
    actions,
    blocking,
    closeLabel,
    emblem,
    align = 'start',
  } = props
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col">
      <Drawer.Content className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pt-6 pb-6 outline-none md:px-8 md:pt-8">
        <header
          className={cx(
            'flex flex-col',
            align === 'center' && 'items-center text-center',
            !titleHidden && Boolean(children) && 'mb-5',
          )}
        >
          {emblem ? <div className="mb-4">{emblem}</div> : null}
          <Drawer.Title
            className={
              titleHidden ? 'sr-only' : cx('display-s', align === 'start' && closeLabel && 'pe-10')
            }
          >
            {title}
          </Drawer.Title>
          {description ? (
            <Drawer.Description className="body mt-1.5 text-text-2">
              {description}
            </Drawer.Description>
          ) : null}
        </header>
        {children}
      </Drawer.Content>
      {actions ? (
        <footer className="flex shrink-0 flex-col-reverse gap-2.5 px-5 pt-1 pb-[max(20px,env(safe-area-inset-bottom))] md:flex-row md:flex-wrap md:justify-end md:px-8 md:pb-8">
          {actions}
        </footer>
      ) : null}
      {closeLabel && !blocking ? (
        <Drawer.Close
          aria-label={closeLabel}
          className="hit absolute end-4 top-4 inline-flex size-9 items-center justify-center rounded-full bg-surface-1 text-text-2 hover:bg-surface-3 md:end-5 md:top-5"
        >
          <XIcon size={18} weight="bold" />
        </Drawer.Close>
      ) : null}
    </div>
  )
}
