import { cx } from '@duet/ui/class-names.ts'
import { useStaff } from '../session.tsx'
import { t } from '../texts.ts'
import { waitingTime } from '../times.ts'
import type { QueueShape } from './queue-shape.ts'

interface RowProps<Item> {
  shape: QueueShape<Item>
  item: Item
  isSelected: boolean
  /** Undefined: the case waits for a manager. */
  onPress: (() => void) | undefined
}

/** A case in the list. A press opens and claims it. */
export function QueueRow<Item>({ shape, item, isSelected, onPress }: RowProps<Item>) {
  const { id } = useStaff()
  const { title, text, isSevere, portraits } = shape.row(item)
  const claim = shape.claimOf(item)
  const isOthers = claim !== null && claim.staff_id !== id
  const content = (
    <>
      {portraits}
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span className="flex w-full items-baseline justify-between gap-2">
          <span className={cx('truncate font-medium', isSevere && 'text-danger')}>{title}</span>
          <time className="shrink-0 text-text-2 tabular-nums" dateTime={shape.sinceOf(item)}>
            {waitingTime(shape.sinceOf(item))}
          </time>
        </span>
        <span className="w-full truncate text-text-2">
          {text}
          {isOthers && (
            <span className="text-warn"> · {t('office.queue.has_it', { name: claim.email })}</span>
          )}
        </span>
        {!onPress && <span className="text-warn">{t('office.queue.for_manager')}</span>}
      </span>
    </>
  )
  const look = 'flex w-full items-center gap-3 border-b border-hair px-4 py-2.5 text-start'
  if (!onPress) return <li className={look}>{content}</li>
  return (
    <li>
      <button
        type="button"
        data-case={shape.idOf(item)}
        aria-current={isSelected || undefined}
        className={cx(
          look,
          isSelected
            ? 'bg-surface-2 shadow-[inset_3px_0_0_var(--ember)] rtl:shadow-[inset_-3px_0_0_var(--ember)]'
            : 'hover:bg-surface-1',
        )}
        onClick={onPress}
      >
        {content}
      </button>
    </li>
  )
}
