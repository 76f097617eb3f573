import { type Ref, useState } from 'react'
import { BarcodeIcon } from '@phosphor-icons/react/dist/csr/Barcode'
import { CreditCardIcon } from '@phosphor-icons/react/dist/csr/CreditCard'
import { CurrencyBtcIcon } from '@phosphor-icons/react/dist/csr/CurrencyBtc'
import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree'
import { TicketIcon } from '@phosphor-icons/react/dist/csr/Ticket'
import { WalletIcon } from '@phosphor-icons/react/dist/csr/Wallet'
import type { Icon } from '@phosphor-icons/react'
import { cx } from '@duet/ui'
import type { PayMethod } from '@duet/protocol/contracts/billing.ts'
import { RadioCard } from '../../../shared/controls/radio-card.tsx'
import { t } from '../../../shared/i18n.ts'

/** The number of methods that are shown before a press on "More". */
const SHOWN = 3
const ICONS: Readonly<Partial<Record<PayMethod, Icon>>> = {
  verotel: CreditCardIcon,
  ccbill: CreditCardIcon,
  cloudpayments: CreditCardIcon,
  paysafecard: BarcodeIcon,
  crypto: CurrencyBtcIcon,
  giftcard: TicketIcon,
}
const TILE =
  'flex min-h-14 min-w-0 flex-col items-center justify-center gap-1 rounded-row px-2 py-1.5 text-center'

interface PayMethodsProps {
  readonly ref: Ref<HTMLFieldSetElement>
  readonly methods: readonly PayMethod[]
  readonly value: PayMethod | undefined
  readonly onChange: (method: PayMethod) => void
}

/** The methods in the order of the price list. */
export function PayMethods({ ref, methods, value, onChange }: PayMethodsProps) {
  const [isOpen, setOpen] = useState(false)
  const first = methods.slice(0, SHOWN)
  const isHidden = value !== undefined && !first.includes(value)
  const isAll = isOpen || isHidden || methods.length <= SHOWN + 1
  return (
    <fieldset ref={ref} className="mt-5">
      <legend className="note mb-2 text-text-2">{t('billing.pay_with')}</legend>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-4">
        {(isAll ? methods : first).map((method) => (
          <MethodTile
            key={method}
            method={method}
            isChosen={method === value}
            onChoose={() => onChange(method)}
          />
        ))}
        {isAll ? null : (
          <button
            type="button"
            onClick={() => setOpen(true)}
            className={cx(
              TILE,
              'cursor-pointer bg-surface-2 shadow-[inset_0_0_0_1px_var(--hair-2)]',
            )}
          >
            <DotsThreeIcon size={20} />
            <span className="note">{t('word.more')}</span>
          </button>
        )}
      </div>
    </fieldset>
  )
}

function MethodTile({
  method,
  isChosen,
  onChoose,
}: {
  method: PayMethod
  isChosen: boolean
  onChoose: () => void
}) {
  const Shown = ICONS[method] ?? WalletIcon
  return (
    <RadioCard
      name="pay-method"
      value={method}
      isChosen={isChosen}
      onChoose={onChoose}
      className={TILE}
    >
      <Shown size={20} />
      <span className="note max-w-full truncate">{t(`billing.method.${method}`)}</span>
    </RadioCard>
  )
}
