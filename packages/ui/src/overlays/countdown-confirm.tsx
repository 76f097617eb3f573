import { useRef, type ReactNode } from 'react'
import { cx } from '../class-names.ts'
import { Button } from '../controls/button.tsx'
import { Ring } from '../figures/ring.tsx'
import { useCountdown } from '../use-countdown.ts'
import { Dialog } from './dialog.tsx'

export interface CountdownConfirmProps {
  open: boolean
  title: ReactNode
  description?: ReactNode
  children?: ReactNode
  /** 3 for a minor action. 5 for an action that cannot be undone or must be read. */
  seconds: 3 | 5
  /** The cancel button, focused first. Undefined where the text can only be confirmed. */
  keep?: { label: string; onPress: () => void }
  confirm: {
    /** "Delete". */
    label: string
    /** "Delete in 3". */
    waiting: (seconds: number) => string
    onPress: () => void
    /** Danger, unless it only confirms that the text was read. */
    variant?: 'danger' | 'primary' | 'secondary'
  }
  /** Announced once, when the second button becomes available. */
  ready: string
  /** A third action, such as an appeal. */
  other?: ReactNode
  emblem?: ReactNode
  busy?: boolean
}

/** A question whose confirmation is enabled only after a countdown, so that it is read. */
export function CountdownConfirm(props: CountdownConfirmProps) {
  const { open, title, description, children, seconds, keep, confirm, ready, other, emblem, busy } =
    props
  const left = useCountdown(seconds, open)
  const keepRef = useRef<HTMLButtonElement>(null)
  const waiting = left > 0
  const variant = confirm.variant ?? 'danger'
  return (
    <Dialog
      open={open}
      // A confirmed action that is under way can no longer be kept from happening.
      onClose={busy ? undefined : keep?.onPress}
      blocking={!keep}
      role="alertdialog"
      title={title}
      description={description}
      emblem={emblem}
      initialFocus={keep ? keepRef : undefined}
      actions={
        <>
          <span className="sr-only" aria-live="polite">
            {open && !waiting ? ready : ''}
          </span>
          {other}
          {keep ? (
            <Button ref={keepRef} disabled={busy} onClick={keep.onPress}>
              {keep.label}
            </Button>
          ) : null}
          <Button
            variant={waiting ? waitingLook(variant) : variant}
            aria-disabled={waiting}
            busy={busy}
            onClick={waiting ? undefined : confirm.onPress}
            end={
              waiting ? (
                <Ring value={(left - 1) / seconds} size={20} line={2.5} tone="current" />
              ) : undefined
            }
          >
            {/* Both wordings share a cell, so the button keeps its width. */}
            <span className="grid">
              <span
                className={cx('col-start-1 row-start-1', !waiting && 'invisible')}
                aria-hidden={!waiting}
              >
                {confirm.waiting(left || seconds)}
              </span>
              <span
                className={cx('col-start-1 row-start-1', waiting && 'invisible')}
                aria-hidden={waiting}
              >
                {confirm.label}
              </span>
            </span>
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}

function waitingLook(variant: 'danger' | 'primary' | 'secondary') {
  return variant === 'danger' ? 'danger-quiet' : 'secondary'
}
