import { GlobeIcon, LockSimpleIcon } from '@phosphor-icons/react'
import type { WallCall } from '@duet/protocol'
import { cx } from '@duet/ui/class-names.ts'
import { t, textOr } from '../../shared/texts.ts'
import { elapsedTime } from '../../shared/times.ts'
import { personName } from '../../shared/person-name.ts'

interface TileProps {
  call: WallCall
  isOpen: boolean
  onOpen: () => void
}

/** One running call: her latest sampled frame, small and blurred. A private call has no picture. */
export function WallTile({ call, isOpen, onOpen }: TileProps) {
  const { session_id, girl, guy, is_private, frame_at, reasons } = call
  const Icon = is_private ? LockSimpleIcon : GlobeIcon
  const [first] = reasons
  return (
    <li>
      <button
        type="button"
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
          <span className="absolute start-2 top-2 flex items-center gap-1 rounded-tag bg-black/70 text-white px-1.5 py-0.5 tabular-nums">
            <Icon
              size={14}
              aria-label={is_private ? t('office.facts.private') : t('office.facts.public')}
            />
            {elapsedTime(call.connected_at ?? call.opened_at)}
          </span>
        </span>
        <span className="flex min-h-[44px] w-full flex-wrap items-center gap-x-2 px-3 py-2">
          <bdi className="truncate">
            {t('office.wall.pair', { girl: personName(girl), guy: personName(guy) })}
          </bdi>
          {first && (
            <span
              className={cx(
                'rounded-tag px-1.5 py-0.5',
                first === 'earlier' || first === 'new_account'
                  ? 'bg-surface-3 text-text-2'
                  : 'bg-danger-lo text-danger',
              )}
            >
              {textOr(`office.wall_reason.${first}`, first)}
            </span>
          )}
        </span>
      </button>
    </li>
  )
}
