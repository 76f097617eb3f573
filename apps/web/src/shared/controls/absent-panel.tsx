import { Button, EmptyState, Skeleton, useSkeleton } from '@duet/ui'
import { t } from '../i18n.ts'

interface AbsentPanelProps {
  readonly isFailed: boolean
  /** The sentence in the place of content that could not be fetched. */
  readonly failed: string
  readonly onRetry: () => void
}

/** The place of a panel whose content loads, or could not be fetched. */
export function AbsentPanel({ isFailed, failed, onRetry }: AbsentPanelProps) {
  const hasSkeleton = useSkeleton(!isFailed)
  if (isFailed)
    return (
      <div role="alert">
        <EmptyState
          title={failed}
          action={<Button onClick={onRetry}>{t('action.retry')}</Button>}
        />
      </div>
    )
  return (
    <div aria-busy className="min-h-72">
      {hasSkeleton ? <Skeleton className="h-72 rounded-panel!" /> : null}
    </div>
  )
}
