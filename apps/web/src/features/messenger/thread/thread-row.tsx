import { memo, type ReactNode } from 'react'
import type { UnsentMessage } from '@duet/client'
import { cx, MessageBubble } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useSnapshot } from '../../../shared/app-services.tsx'
import { formatClock, formatDayName } from '../times.ts'
import { useMessenger } from '../use-messenger.ts'
import { MessageRow } from './message-row.tsx'
import { PhotoInThread } from '../photos/photo-in-thread.tsx'
import { UploadRow } from '../photos/upload-row.tsx'
import type { ThreadItem } from './thread-items.ts'

/** A row of a thread. `head` stands above the first row. */
export const ThreadRow = memo(function ThreadRow({
  item,
  head,
  onLeft,
}: {
  item: ThreadItem
  head: ReactNode
  /** A row that has vanished has faded out. */
  onLeft: (key: string) => void
}) {
  const isLeaving = item.kind === 'message' && item.is_leaving === true
  return (
    <>
      {head}
      <div
        inert={isLeaving}
        className={cx('pb-2', isLeaving && 'row-leaving')}
        onAnimationEnd={({ animationName }) => {
          if (animationName === 'duet-row-leaving') onLeft(item.key)
        }}
      >
        <div>
          <RowContent item={item} />
        </div>
      </div>
    </>
  )
})

function RowContent({ item }: { item: ThreadItem }) {
  if (item.kind === 'day')
    return (
      <p className="note py-3 text-center text-text-3">
        <time dateTime={item.time}>{formatDayName(item.time, Date.now())}</time>
      </p>
    )
  if (item.kind === 'new')
    return (
      <p className="note flex items-center gap-3 py-2 text-ember-hi before:h-px before:flex-1 before:bg-hair-2 after:h-px after:flex-1 after:bg-hair-2">
        {t('messenger.thread.new')}
      </p>
    )
  if (item.kind === 'upload') return <UploadRow upload={item.upload} />
  if (item.kind === 'unsent') return <UnsentRow unsent={item.unsent} />
  return <MessageRow {...item} />
}

/** Waits, is being sent, or was refused: then it offers to try again. */
function UnsentRow({ unsent }: { unsent: UnsentMessage }) {
  const messenger = useMessenger()
  const { phase } = useSnapshot()
  const { refusal, random_id, text, written_at, media } = unsent
  const isFailed = refusal !== undefined
  const words = isFailed ? t('messenger.failed') : t('messenger.sending')
  return (
    <MessageBubble
      own
      state={{ kind: isFailed ? 'failed' : 'sending', text: words }}
      retry={{ label: t('action.retry'), onPress: () => messenger.retry(random_id) }}
      {...(!isFailed && {
        time: phase === 'ready' ? formatClock(written_at) : t('messenger.waiting'),
      })}
      bare={media !== undefined}
      notes={
        isFailed ? (
          <>
            <span role="alert" className="text-danger">
              {refusalText(refusal)}
            </span>
            <button
              type="button"
              className="hit rounded-tag underline underline-offset-2"
              onClick={() => messenger.discard(random_id)}
            >
              {t('action.delete')}
            </button>
          </>
        ) : undefined
      }
    >
      {media ? <PhotoInThread media={media} is_own /> : text}
    </MessageBubble>
  )
}

const REFUSALS = {
  message_limit: 'messenger.refused.message_limit',
  no_balance: 'messenger.refused.no_balance',
  no_first_write: 'messenger.refused.no_first_write',
  blocked: 'messenger.refused.blocked',
  premium_only: 'messenger.refused.premium_only',
  not_found: 'messenger.refused.not_found',
  too_many: 'messenger.refused.too_many',
  image_removed: 'messenger.image.removed',
  invalid: 'messenger.refused.invalid',
} as const

function refusalText(refusal: string): string {
  return t(REFUSALS[refusal as keyof typeof REFUSALS] ?? 'messenger.refused.other')
}
