import { t } from '../../shared/i18n.ts'
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

/** Two digits have room before the number is known. */
function OnlineCount() {
  const count = useWomenOnline()
  return (
    <span className="figures min-w-[2ch] text-start font-normal! opacity-70">{count ?? null}</span>
  )
}
