import { t } from '../../shared/i18n.ts'
import { useWomenOnline } from '../../shared/people/online-count.ts'
import { WOMEN_ONLINE_START } from '../../shared/texts/women-online-start.ts'
import { useSettings } from '../../shared/queries.ts'
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

/** Before the count is known, the label has room for the digits of the setting. */
function OnlineCount() {
  const count = useWomenOnline()
  const { women_online_start: reserved = WOMEN_ONLINE_START } = useSettings() ?? {}
  return (
    <span
      className="figures text-start font-normal! opacity-70"
      style={{ minWidth: `${String(reserved).length}ch` }}
    >
      {count ?? null}
    </span>
  )
}
