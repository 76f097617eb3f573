import { t } from '../../shared/i18n.ts'
import { useSettings } from '../../shared/queries.ts'
import { useWomenOnline } from '../../shared/people/online-count.ts'
import type { GirlTab } from './girl-filter.ts'

/** The name of a tab; that of the girls who are online with their number, once it is known. */
export function TabLabel({ tab }: { tab: GirlTab }) {
  return (
    <>
      {t(`catalogue.tab.${tab}`)}
      {tab === 'online' ? <OnlineCount /> : null}
    </>
  )
}

/** The digits of the starting figure have room before the number is known. */
function OnlineCount() {
  const count = useWomenOnline()
  const digits = String(useSettings()?.women_online_start ?? '').length || 2
  return (
    <span
      className="figures text-start font-normal! opacity-70"
      style={{ minWidth: `${digits}ch` }}
    >
      {count ?? null}
    </span>
  )
}
