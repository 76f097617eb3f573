import { ClockIcon } from '@phosphor-icons/react/dist/csr/Clock'
import { cx } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import type { NavItem } from '../../shared/feature.ts'

const COUNT_SHOWN_MAX = 99
const noCount = () => 0

/** The icon of a navigation entry, with the entry's number. */
export function NavIcon({ item, isActive }: { item: NavItem; isActive: boolean }) {
  const { icon: Icon, useCount = noCount, useWaiting = noCount } = item
  const count = useCount()
  const waiting = useWaiting()
  return (
    <span className="relative">
      <Icon
        size={24}
        weight={isActive ? 'fill' : 'regular'}
        className={isActive ? 'text-ember-hi' : undefined}
      />
      {count > 0 ? (
        <span
          className={cx(
            'meta figures absolute -end-3 -top-2 inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-full bg-ember px-1 font-[650]! text-on-ember',
          )}
        >
          <span aria-hidden>{count > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : count}</span>
          <span className="sr-only">{t('nav.unread', { count })}</span>
        </span>
      ) : null}
      {waiting > 0 ? (
        <span className="absolute -end-2 -bottom-1.5 rounded-full bg-surface-3 p-px text-text-2">
          <ClockIcon size={14} weight="bold" />
          <span className="sr-only">{t('nav.waiting', { count: waiting })}</span>
        </span>
      ) : null}
    </span>
  )
}
