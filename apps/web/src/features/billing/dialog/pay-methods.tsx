import { useState } from 'react'
import { BarcodeIcon } from '@phosphor-icons/react/dist/csr/Barcode'
import { CreditCardIcon } from '@phosphor-icons/react/dist/csr/CreditCard'
import { CurrencyBtcIcon } from '@phosphor-icons/react/dist/csr/CurrencyBtc'
import { DotsThreeIcon } from '@phosphor-icons/react/dist/csr/DotsThree'
import { TicketIcon } from '@phosphor-icons/react/dist/csr/Ticket'
import { WalletIcon } from '@phosphor-icons/react/dist/csr/Wallet'
import type { Icon } from '@phosphor-icons/react'
import { cx } from '@duet/ui'
import type { PayMethod } from '@duet/protocol/contracts/billing.ts'
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
  'flex min-h-14 min-w-0 flex-col items-center justify-center gap-1 rounded-row px-2 py-1.5 text-center cursor-pointer'

interface PayMethodsProps {
  readonly methods: readonly PayMethod[]
  readonly value: PayMethod | undefined
  readonly onChange: (method: PayMethod) => void
}

/** The methods in the order of the price list. */
export function PayMethods({ methods, value, onChange }: PayMethodsProps) {
  const [isOpen, setOpen] = useState(false)
  const first = methods.slice(0, SHOWN)
  const isHidden = value !== undefined && !first.includes(value)
  const isAll = isOpen || isHidden || methods.length <= SHOWN + 1
  return (
    <fieldset className="mt-5">
      <legend className="note mb-2 text-text-2">{t('billing.pay_with')}</legend>
      <div className="grid grid-cols-2 gap-2 min-[390px]:grid-cols-4">
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
            className={cx(TILE, 'bg-surface-2 shadow-[inset_0_0_0_1px_var(--hair-2)]')}
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
    <label
      className={cx(
        TILE,
        'focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-focus',
        isChosen
          ? 'bg-ember-lo shadow-[inset_0_0_0_2px_var(--ember-hi)]'
          : 'bg-surface-2 shadow-[inset_0_0_0_1px_var(--hair-2)] hover:bg-surface-3',
      )}
    >
      <input
        type="radio"
        name="pay-method"
        value={method}
        checked={isChosen}
        onChange={onChoose}
        className="sr-only"
      />
      <Shown size={20} />
      <span className="note max-w-full truncate">{t(`billing.method.${method}`)}</span>
    </label>
  )
}
