import { useRef, useState } from 'react'
import type { Answer } from '@duet/protocol'
import { wallFilters, wallOrders } from '@duet/protocol/kernel/rule-names.ts'
import { Chip, ChipRow } from '@duet/ui/controls/chip.tsx'
import { KeyCap } from '@duet/ui/controls/key-cap.tsx'
import { useKeys } from '../../shared/keys/use-keys.ts'
import { msg, t } from '../../shared/texts.ts'
import type { WallAddress } from './wall-address.ts'

const FILTERS = {
  all: msg('office.wall.show.all'),
  flagged: msg('office.wall.show.flagged'),
  new_accounts: msg('office.wall.show.new_accounts'),
  private: msg('office.wall.show.private'),
  weak: msg('office.wall.show.weak'),
}
const ORDERS = {
  risk: msg('office.wall.order.risk'),
  longest: msg('office.wall.order.longest'),
  newest: msg('office.wall.order.newest'),
}

interface WallBarProps {
  address: WallAddress
  counts: Answer<'GET v2/manager/wall'>['counts'] | undefined
}

/** The filters with their counts, the order, the search, and the look of the wall. */
export function WallBar({ address, counts }: WallBarProps) {
  const { show, order, find, isList, set } = address
  // The address renders too late for a field in which a person types fast.
  const [text, setText] = useState(find)
  const search = (value: string) => {
    setText(value)
    set('find', value)
  }
  const field = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => field.current?.focus() })
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-hair px-4 py-1">
      <ChipRow label={t('office.wall.filters')} className="max-w-full overflow-x-auto">
        {wallFilters.map((filter) => (
          <Chip
            key={filter}
            selected={filter === show}
            onClick={() => set('show', filter === 'all' ? undefined : filter)}
          >
            {t(FILTERS[filter])} <span className="tabular-nums">{counts?.[filter]}</span>
          </Chip>
        ))}
      </ChipRow>
      <div className="flex max-w-full grow items-center justify-end gap-2 max-md:w-full">
        <select
          aria-label={t('office.wall.order')}
          className="h-11 min-w-0 rounded-control bg-transparent px-2 text-text-2 max-md:-ms-2 md:h-9"
          value={order}
          onChange={({ target: { value } }) => set('order', value === 'risk' ? undefined : value)}
        >
          {wallOrders.map((one) => (
            <option key={one} value={one}>
              {t(ORDERS[one])}
            </option>
          ))}
        </select>
        <label className="flex h-11 min-w-0 flex-1 items-center md:h-9 md:flex-none gap-2 rounded-control bg-surface-2 px-3 shadow-[inset_0_0_0_1px_var(--line-strong)] has-[:focus-visible]:shadow-[inset_0_0_0_2px_var(--ember-hi)]">
          <input
            ref={field}
            type="search"
            aria-label={t('office.wall.find')}
            placeholder={t('office.wall.find')}
            maxLength={120}
            size={16}
            className="min-w-0 flex-1 bg-transparent outline-none"
            value={text}
            onChange={(event) => search(event.target.value)}
          />
          <KeyCap>/</KeyCap>
        </label>
        <Chip selected={isList} onClick={() => set('view', isList ? undefined : 'list')}>
          {t('office.wall.as_list')}
        </Chip>
      </div>
    </div>
  )
}
