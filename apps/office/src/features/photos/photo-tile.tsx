import { useState } from 'react'
import type { DeskPhoto } from '@duet/protocol/contracts/media-desk.ts'
import { personName } from '../../shared/person-name.ts'
import { useStaff } from '../../shared/session.tsx'
import { t } from '../../shared/texts.ts'

/** One picture of the grid. The clear one is fetched when it is looked at, because each look is recorded. */
export function PhotoTile({ item, onOpen }: { item: DeskPhoto; onOpen: () => void }) {
  const { id: ownId } = useStaff()
  const [isLookedAt, setLookedAt] = useState(false)
  const [wasLookedAt, setWasLookedAt] = useState(false)
  const look = () => {
    setLookedAt(true)
    setWasLookedAt(true)
  }
  const leave = () => setLookedAt(false)
  const { id, claim, user, kind } = item
  const isOthers = claim !== null && claim.staff_id !== ownId
  const address = `/api/v2/manager/photos/${id}`
  return (
    <li>
      <button
        type="button"
        data-case={id}
        className="flex w-full flex-col overflow-hidden rounded-panel bg-surface-1 text-start shadow-[inset_0_0_0_1px_var(--hair)]"
        onClick={onOpen}
        onFocus={look}
        onBlur={leave}
        onPointerEnter={look}
        onPointerLeave={leave}
      >
        <span className="relative block aspect-square w-full bg-surface-2">
          <img alt="" className="size-full object-cover" src={`${address}/tile`} />
          {wasLookedAt && (
            <img
              alt={t('office.media.waiting')}
              hidden={!isLookedAt}
              className="absolute inset-0 size-full bg-surface-2 object-contain"
              src={`${address}/picture`}
            />
          )}
          {kind === 'video' && (
            <span className="absolute end-2 top-2 rounded-tag bg-bg/80 px-1.5 py-0.5">
              {t('office.media.video')}
            </span>
          )}
        </span>
        <span className="w-full truncate px-3 py-2">
          <bdi>{personName(user)}</bdi>
          {isOthers && (
            <span className="text-warn"> · {t('office.queue.has_it', { name: claim.email })}</span>
          )}
        </span>
      </button>
    </li>
  )
}
