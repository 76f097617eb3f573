import { GlobeIcon, LockSimpleIcon } from '@phosphor-icons/react'
import type { WallCall } from '@duet/protocol'
import { cx } from '@duet/ui/class-names.ts'
import { t } from '../../shared/texts.ts'
import { elapsedTime } from '../../shared/times.ts'
import { personName } from '../../shared/person-name.ts'
import { Reasons } from './reasons.tsx'
import { SignalBars } from './signal-bars.tsx'

interface TileProps {
  call: WallCall
  now: string
  isOpen: boolean
  onOpen: () => void
}

/** One running call: her latest sampled frame, small and blurred. A private call has no picture. */
export function WallTile({ call, now, isOpen, onOpen }: TileProps) {
  const { session_id, girl, guy, is_private, frame_at, reasons, network } = call
  return (
    <li>
      <button
        type="button"
        data-call={session_id}
        aria-expanded={isOpen}
        className={cx(
          'flex w-full flex-col overflow-hidden rounded-panel bg-surface-1 text-start shadow-[inset_0_0_0_1px_var(--hair)]',
          isOpen && 'shadow-[0_0_0_2px_var(--ember)]',
        )}
        onClick={onOpen}
      >
        <span className="relative block aspect-[4/3] w-full bg-surface-2">
          {frame_at === null ? (
            <span className="grid h-full place-items-center px-2 text-center text-text-2">
              {is_private ? t('office.wall.signals_only') : t('office.wall.no_frame')}
            </span>
          ) : (
            <img
              alt=""
              className="size-full object-cover"
              src={`/api/v2/manager/wall/${session_id}/tile?${new URLSearchParams({ at: frame_at })}`}
            />
          )}
          <span className="absolute inset-x-2 top-2 flex flex-wrap justify-between gap-1 tabular-nums">
            <CallTime
              call={call}
              now={now}
              className="rounded-tag bg-black/70 text-white px-1.5 py-0.5"
            />
            {frame_at !== null && (
              <span className="rounded-tag bg-black/70 text-white px-1.5 py-0.5">
                {frameAge(frame_at, now)}
              </span>
            )}
          </span>
        </span>
        <span className="flex min-h-[44px] w-full items-center gap-2 px-3 py-2">
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1">
            <bdi className="max-w-full truncate">
              {t('office.wall.pair', { girl: personName(girl), guy: personName(guy) })}
            </bdi>
            <Reasons reasons={reasons} />
          </span>
          <SignalBars name={personName(girl)} network={network.girl} />
          <SignalBars name={personName(guy)} network={network.guy} />
        </span>
      </button>
    </li>
  )
}

interface CallTimeProps {
  call: WallCall
  now: string
  className?: string
}

/** How long a call lasts, and whether it is public. */
export function CallTime({ call, now, className }: CallTimeProps) {
  const { is_private, connected_at, opened_at } = call
  const Icon = is_private ? LockSimpleIcon : GlobeIcon
  return (
    <span className={cx('flex items-center gap-1 tabular-nums', className)}>
      <Icon
        size={14}
        aria-label={is_private ? t('office.facts.private') : t('office.facts.public')}
      />
      {elapsedTime(connected_at ?? opened_at, now)}
    </span>
  )
}

/** How long ago a frame was taken. */
export function frameAge(at: string, now: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(now) - Date.parse(at)) / 1000))
  return t('office.wall.frame_age', { n: seconds })
}
