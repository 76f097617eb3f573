import { DiamondIcon, MessageIcon } from '@duet/ui'
import type { Package } from '@duet/protocol/contracts/billing.ts'
import { RadioCard } from '../../../shared/controls/radio-card.tsx'
import { intlLocale, t } from '../../../shared/i18n.ts'
import { formatPrice, formatUnitPrice } from '../money-format.ts'

interface PackCardsProps {
  readonly packages: readonly Package[]
  readonly chosen: number | undefined
  readonly onChoose: (package_id: number) => void
}

/** The packs as radio cards: two columns, on a phone rows. */
export function PackCards({ packages, chosen, onChoose }: PackCardsProps) {
  return (
    <fieldset className="grid gap-x-3 gap-y-4 pt-2 md:grid-cols-2">
      <legend className="sr-only">{t('billing.packs')}</legend>
      {packages.map((one) => (
        <PackCard
          key={one.package_id}
          pack={one}
          isChosen={one.package_id === chosen}
          onChoose={() => onChoose(one.package_id)}
        />
      ))}
    </fieldset>
  )
}

function PackCard({
  pack: { package_id, pack, value, bonus, price, currency, sale_until },
  isChosen,
  onChoose,
}: {
  pack: Package
  isChosen: boolean
  onChoose: () => void
}) {
  const Icon = pack === 'minutes' ? DiamondIcon : MessageIcon
  const unit = formatUnitPrice(price, currency, value)
  return (
    <RadioCard
      name="pack"
      value={package_id}
      isChosen={isChosen}
      onChoose={onChoose}
      className="relative flex min-h-[76px] items-center gap-3.5 rounded-panel px-4 py-3 transition-colors"
    >
      <Icon size={26} />
      <span className="min-w-0 flex-1">
        <span className="title block">
          {value}
          {bonus > 0 ? <span className="ui ms-1.5 text-gold">+{bonus}</span> : null}
        </span>
        <span className="note text-text-2">
          {t(pack === 'minutes' ? 'billing.pack_minutes' : 'billing.pack_messages', {
            count: value,
          })}
        </span>
      </span>
      <span className="text-end">
        <span className="ui block font-[600]!">{formatPrice(price, currency)}</span>
        <span className="note text-text-2">
          {t(pack === 'minutes' ? 'billing.a_minute' : 'billing.a_message', { price: unit })}
        </span>
      </span>
      {bonus > 0 ? <SaleRibbon bonus={bonus} until={sale_until} /> : null}
    </RadioCard>
  )
}

/** The bonus and the real end of the sale. */
function SaleRibbon({ bonus, until }: { bonus: number; until: string | undefined }) {
  const time = until && formatEnd(until)
  return (
    <span className="note absolute -top-2.5 start-4 rounded-full bg-gold px-2.5 font-[600]! text-on-gold">
      {time ? t('billing.sale_until', { count: bonus, time }) : t('billing.sale', { count: bonus })}
    </span>
  )
}

function formatEnd(until: string): string {
  return new Date(until).toLocaleString(intlLocale(), { dateStyle: 'medium', timeStyle: 'short' })
}
