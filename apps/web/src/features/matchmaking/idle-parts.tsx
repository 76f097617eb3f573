import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import { WarningIcon } from '@phosphor-icons/react/dist/csr/Warning'
import { Banner, Button } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { DeviceButton } from '../../shared/video/screen-parts.tsx'
import type { IdleView } from './matchmaking-state.ts'

export interface StartPress {
  /** From the press until the search, or the obstacle before it, is on the screen. */
  busy: boolean
  onStart: () => void
}

interface StartRowProps extends StartPress {
  size: 54 | 62
  label: string
}

/** The button that starts the search, and beside it the choice of devices. */
export function StartRow({ size, label, busy, onStart }: StartRowProps) {
  return (
    <div className="flex flex-wrap items-center gap-2.5">
      <Button
        variant="primary"
        size={size}
        className="max-md:flex-1"
        busy={busy}
        icon={<VideoCameraIcon size={22} weight="fill" className="mirror" />}
        onClick={onStart}
      >
        {label}
      </Button>
      <DeviceButton size={54} />
    </div>
  )
}

/** The reason why a user who did not press Stop is idle. */
export function IdleReason({ reason }: Pick<IdleView, 'reason'>) {
  if (
    reason !== 'missed_offers' &&
    reason !== 'absence' &&
    reason !== 'no_balance' &&
    reason !== 'away'
  )
    return null
  return <Banner icon={<WarningIcon size={20} weight="fill" />}>{t(`video.idle.${reason}`)}</Banner>
}
