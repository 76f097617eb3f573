import type { ReactNode } from 'react'
import { useDirection } from '@base-ui/react/direction-provider'
import { Toast } from '@base-ui/react/toast'
import { CheckCircleIcon } from '@phosphor-icons/react/dist/csr/CheckCircle'
import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { XIcon } from '@phosphor-icons/react/dist/csr/X'
import { cx } from '../class-names.ts'
import { Button } from '../controls/button.tsx'

export interface ToastContent {
  title: ReactNode
  text?: ReactNode
  /** An avatar or an icon at the start. Success and error have icons of their own. */
  icon?: ReactNode
  /** An error is announced at once, other kinds when the screen reader is idle. */
  kind?: 'plain' | 'success' | 'error'
  action?: { label: string; onPress: () => void }
  /** A toast with the same id replaces the shown toast. */
  id?: string
}

type Extra = Pick<ToastContent, 'icon' | 'kind' | 'action'>

const TOAST_MS = 4000
const TOAST_WITH_ACTION_MS = 8000

/** The queue of toasts. One per app; it may be used outside React. */
export function createToasts() {
  const manager = Toast.createToastManager<Extra>()
  return {
    manager,
    /** Shows a toast for 4 s, 8 s with an action, and returns its id. */
    show({ title, text, icon, kind, action, id }: ToastContent): string {
      return manager.add({
        id,
        title,
        description: text,
        timeout: action ? TOAST_WITH_ACTION_MS : TOAST_MS,
        priority: kind === 'error' ? 'high' : 'low',
        data: { icon, kind, action },
      })
    },
    /** Closes a toast early. Without an id, closes all toasts. */
    hide: (id?: string) => manager.close(id),
  }
}

export type Toasts = ReturnType<typeof createToasts>

/** The one place where toasts appear: at the top end, at the top on mobile, three at most, paused under a pointer. */
export function ToastRegion({
  toasts,
  label,
  closeLabel,
}: {
  toasts: Toasts
  label: string
  closeLabel: string
}) {
  return (
    <Toast.Provider toastManager={toasts.manager} limit={3} timeout={TOAST_MS}>
      <Toast.Portal>
        <Toast.Viewport
          aria-label={label}
          className="fixed inset-x-3 top-[max(12px,env(safe-area-inset-top))] z-toast outline-none md:start-auto md:end-6 md:top-6 md:w-[400px]"
        >
          <ToastList closeLabel={closeLabel} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

const place = cx(
  'absolute inset-x-0 top-0 flex items-center gap-3 rounded-row bg-surface-3 p-3.5 text-text shadow-[inset_0_0_0_1px_var(--hair-2),var(--elevation-2)]',
  '[transform:translate(var(--toast-swipe-movement-x),calc(var(--toast-offset-y)+var(--toast-index)*10px+var(--toast-swipe-movement-y)))]',
  'transition-[transform,opacity] duration-base data-limited:pointer-events-none data-limited:opacity-0',
  'data-starting-style:[transform:translateY(calc(-16px*var(--move)))] data-starting-style:opacity-0 data-ending-style:opacity-0',
)

const ownIcon = {
  plain: null,
  success: <CheckCircleIcon weight="fill" size={24} className="text-ok" />,
  error: <WarningCircleIcon weight="fill" size={24} className="text-danger" />,
}

function ToastList({ closeLabel }: { closeLabel: string }) {
  const { toasts, close } = Toast.useToastManager<Extra>()
  const away = useDirection() === 'rtl' ? 'left' : 'right'
  return toasts.map((toast) => {
    const { icon, kind = 'plain', action } = toast.data ?? {}
    return (
      // The surrounding region is live. With a second live role inside, the toast would be announced twice.
      <Toast.Root
        key={toast.id}
        toast={toast}
        role={kind === 'error' ? 'alert' : 'status'}
        aria-live="off"
        aria-modal={undefined}
        swipeDirection={['up', away]}
        className={place}
      >
        {icon ?? ownIcon[kind]}
        <div className="min-w-0 flex-1">
          <Toast.Title className="ui block font-[600]!" render={<p />} />
          <Toast.Description className="note text-text-2" />
        </div>
        {action ? (
          <Button
            size={36}
            variant="outline"
            onClick={() => {
              action.onPress()
              close(toast.id)
            }}
          >
            {action.label}
          </Button>
        ) : null}
        <Toast.Close
          aria-label={closeLabel}
          className="hit inline-flex size-8 shrink-0 items-center justify-center rounded-full text-text-2 hover:bg-surface-4"
        >
          <XIcon size={14} weight="bold" />
        </Toast.Close>
      </Toast.Root>
    )
  })
}
