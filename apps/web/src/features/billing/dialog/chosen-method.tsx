import type { PayMethod } from '@duet/protocol/contracts/billing.ts'
import { t } from '../../../shared/i18n.ts'

interface ChosenMethodProps {
  readonly method: PayMethod
  /** Leads to the list of the methods. */
  readonly onChange: () => void
}

/** On a phone the list of the methods can be below the edge of the screen, and this line is always above the button. */
export function ChosenMethod({ method, onChange }: ChosenMethodProps) {
  return (
    <button
      type="button"
      onClick={onChange}
      className="flex min-h-11 w-full cursor-pointer items-center justify-between gap-3 rounded-row bg-surface-2 px-4 md:hidden"
    >
      <span className="ui min-w-0 truncate">
        {t('billing.pay_by', { method: t(`billing.method.${method}`) })}
      </span>
      <span className="note shrink-0 text-text-2">{t('billing.change_method')}</span>
    </button>
  )
}
