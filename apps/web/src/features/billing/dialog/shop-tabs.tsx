import { ChatCircleTextIcon } from '@phosphor-icons/react/dist/csr/ChatCircleText'
import { CrownSimpleIcon } from '@phosphor-icons/react/dist/csr/CrownSimple'
import { TimerIcon } from '@phosphor-icons/react/dist/csr/Timer'
import { CrownIcon } from '@phosphor-icons/react/dist/csr/Crown'
import { Tabs } from '@duet/ui'
import type { Package } from '@duet/protocol/contracts/billing.ts'
import { t } from '../../../shared/i18n.ts'
import { useSettings } from '../../../shared/queries.ts'
import { PackCards } from './pack-cards.tsx'
import { PREMIUM_LINES } from './premium-lines.ts'

type Tab = 'minutes' | 'messages' | 'premium'

interface ShopTabsProps {
  readonly packages: readonly Package[]
  readonly tab: Tab
  readonly onTab: (tab: Tab) => void
  readonly chosen: number | undefined
  readonly onChoose: (package_id: number) => void
}

/** Minutes, messages, and Premium, which comes with each of them. */
export function ShopTabs({ packages, tab, onTab, chosen, onChoose }: ShopTabsProps) {
  const cards = (shown: readonly Package[]) => (
    <PackCards packages={shown} chosen={chosen} onChoose={onChoose} />
  )
  const ofPack = (pack: Package['pack']) => packages.filter((one) => one.pack === pack)
  const count = useSettings()?.premium_days ?? 0
  const cheapest = [ofPack('minutes')[0], ofPack('messages')[0]].filter((one) => one !== undefined)
  return (
    <Tabs<Tab>
      label={t('billing.title')}
      size={48}
      value={tab}
      onChange={onTab}
      options={[
        {
          value: 'minutes',
          label: t('billing.minutes'),
          icon: <TimerIcon size={18} weight="duotone" />,
          panel: cards(ofPack('minutes')),
        },
        {
          value: 'messages',
          label: t('word.messages'),
          icon: <ChatCircleTextIcon size={18} weight="duotone" />,
          panel: cards(ofPack('messages')),
        },
        {
          value: 'premium',
          label: t('word.premium'),
          icon: <CrownSimpleIcon size={18} weight="duotone" />,
          panel: (
            <>
              <ul className="body mb-4 flex flex-col gap-1.5 text-text-2">
                {PREMIUM_LINES.map((line) => (
                  <li key={line} className="flex items-center gap-2.5">
                    <CrownIcon size={16} weight="fill" className="shrink-0 text-gold" />
                    {t(line)}
                  </li>
                ))}
              </ul>
              <p className="ui mb-3">
                {count > 0 ? t('billing.premium.included', { count }) : null}
              </p>
              {cards(cheapest)}
            </>
          ),
        },
      ]}
    />
  )
}

/** The line below the methods of payment. */
export function PremiumIncluded() {
  const count = useSettings()?.premium_days ?? 0
  if (count === 0) return null
  return (
    <p className="mt-4 flex items-center gap-3 rounded-row bg-gold-lo px-4 py-3">
      <CrownIcon size={20} weight="fill" className="shrink-0 text-gold" />
      <span>
        <span className="ui block font-[600]!">{t('billing.premium.any', { count })}</span>
        <span className="note text-text-2">{t('billing.premium.any_text')}</span>
      </span>
    </p>
  )
}
