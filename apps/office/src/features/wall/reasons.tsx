import type { WallCall } from '@duet/protocol'
import { cx } from '@duet/ui/class-names.ts'
import { t, textOr } from '../../shared/texts.ts'

type Reason = WallCall['reasons'][number]

const TONES: Readonly<Partial<Record<Reason, string>>> = {
  complaint: 'bg-danger-lo text-danger',
  checked: 'bg-danger-lo text-danger',
  nudity: 'bg-danger-lo text-danger',
  accused: 'bg-warn-lo text-warn',
  no_face: 'bg-warn-lo text-warn',
  frames_missing: 'bg-warn-lo text-warn',
}

export function reasonName(reason: Reason): string {
  return textOr(`office.wall_reason.${reason}`, reason)
}

/** Why a session stands where it stands: the strongest reason, and how many others there are. */
export function Reasons({ reasons }: Pick<WallCall, 'reasons'>) {
  const [first, ...others] = reasons
  if (!first) return null
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <span
        className={cx(
          'truncate rounded-tag px-1.5 py-0.5',
          TONES[first] ?? 'bg-surface-3 text-text-2',
        )}
      >
        {reasonName(first)}
      </span>
      {others.length > 0 && (
        <span className="text-text-2" title={others.map(reasonName).join(', ')}>
          {t('office.wall.more_reasons', { n: others.length })}
        </span>
      )}
    </span>
  )
}
