import type { ReactNode } from 'react'
import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import { ChecksIcon } from '@phosphor-icons/react/dist/csr/Checks'
import { ClockIcon } from '@phosphor-icons/react/dist/csr/Clock'
import { ProhibitIcon } from '@phosphor-icons/react/dist/csr/Prohibit'
import { WarningCircleIcon } from '@phosphor-icons/react/dist/csr/WarningCircle'
import { cx } from '../class-names.ts'

export type MessageState = 'sending' | 'sent' | 'read' | 'failed'

export interface MessageBubbleProps {
  /** Written by the viewer. */
  own: boolean
  children: ReactNode
  /** For own messages: the delivery state, with its name for screen readers. */
  state?: { kind: MessageState; text: string }
  /** Beside the state, visible: "21:09", "Read 21:09". */
  time?: string
  /** Under the bubble beside the time: a vanishing ring, "Show original", a reward. */
  notes?: ReactNode
  /** Beside the bubble: a button about this message. */
  aside?: ReactNode
  /** The visible action of a press on a failed message: "Tap to try again". */
  retry?: { label: string; onPress: () => void }
  /** Instead of a text: the message was removed, or cannot be shown here. */
  withheld?: boolean
  /** A gift or a photo brings its own surface. */
  bare?: boolean
  /** The last message of a group has the tail. */
  tail?: boolean
}

const stateIcons = {
  sending: <ClockIcon size={14} />,
  sent: <CheckIcon size={14} weight="bold" />,
  read: <ChecksIcon size={14} weight="bold" className="text-moon" />,
  failed: <WarningCircleIcon size={15} weight="fill" />,
}

/** One message of a conversation. */
export function MessageBubble(props: MessageBubbleProps) {
  const { own, children, state, withheld, bare, aside, tail = true } = props
  const failed = state?.kind === 'failed'
  const bubble = (
    <div
      dir="auto"
      className={cx(
        'bubble bubble-type max-w-[75%] min-w-0 wrap-anywhere whitespace-pre-wrap md:max-w-[440px]',
        bare ? 'overflow-hidden rounded-bubble' : 'rounded-bubble px-4 py-2.5',
        !bare && !withheld && (own ? 'bg-ember-lo text-text' : 'bg-surface-3 text-text'),
        withheld &&
          'flex items-start gap-2 bg-surface-2 text-text-3 shadow-[inset_0_0_0_1px_var(--hair)]',
        failed && 'shadow-[inset_0_0_0_1.5px_var(--danger)]',
        tail && (own ? 'rounded-ee-[6px]' : 'rounded-es-[6px]'),
      )}
    >
      {withheld ? <ProhibitIcon size={18} className="mt-0.5 shrink-0" /> : null}
      {children}
    </div>
  )
  return (
    <div className={cx('flex flex-col gap-1', own ? 'items-end' : 'items-start')}>
      {aside ? (
        <div className="group flex w-full items-center gap-1">
          {bubble}
          {aside}
        </div>
      ) : (
        bubble
      )}
      <MessageFoot {...props} />
    </div>
  )
}

/** Under the bubble: the delivery state or the retry, the time and the notes. */
function MessageFoot({ state, time, notes, retry }: MessageBubbleProps) {
  if (!state && !time && !notes) return null
  return (
    <div className="meta flex min-h-4 flex-wrap items-center gap-x-2.5 gap-y-1 px-1.5 text-text-3">
      {state && state.kind !== 'failed' ? (
        <span className="inline-flex items-center gap-1.5">
          {stateIcons[state.kind]}
          <span className="sr-only">{state.text}</span>
        </span>
      ) : null}
      {state?.kind === 'failed' ? (
        <button
          type="button"
          onClick={retry?.onPress}
          className="hit inline-flex items-center gap-1.5 rounded-tag text-danger"
        >
          {stateIcons.failed}
          <span className="sr-only">{state.text}</span>
          {retry?.label}
        </button>
      ) : null}
      {time ? <bdi>{time}</bdi> : null}
      {notes}
    </div>
  )
}

/** The other user is typing. A text beside it names them. */
export function TypingDots() {
  return (
    <span aria-hidden className="inline-flex gap-1">
      {[0, 0.15, 0.3].map((delay) => (
        <span
          key={delay}
          className="typing-dot size-1.5 rounded-full bg-text-2"
          style={{ animationDelay: `${delay}s` }}
        />
      ))}
    </span>
  )
}
