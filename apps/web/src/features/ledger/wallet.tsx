import { Amount, WalletPill } from '@duet/ui'
import { useAmountFormat, type AmountFormat } from '../../shared/amounts.ts'
import { t } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { useCanAddMinutes } from '../../shared/queries.ts'
import { useOwnUser } from '../../shared/app-services.tsx'

/** From here on the number is shown as a warning. */
const LOW_DIAMONDS = 5

/** A guy sees diamonds and messages, a girl sees coins. */
export function Wallet() {
  const user = useOwnUser()
  const canAdd = useCanAddMinutes()
  const formatAmount = useAmountFormat()
  if (!user?.role) return null
  const isGirl = user.role === 'girl'
  const amounts = isGirl
    ? coins(user.balance, formatAmount)
    : diamonds(user.balance, user.balance_messages, formatAmount)
  if (!isGirl && canAdd)
    return (
      <WalletPill
        label={t('action.add_minutes')}
        amounts={amounts}
        plus
        onClick={() => dialogs.open('not_balance', {})}
      />
    )
  return (
    <span className="ui inline-flex min-h-10 items-center gap-3 rounded-full bg-surface-2 px-4 font-[600]! shadow-[inset_0_0_0_1px_var(--hair-2)]">
      {amounts.map(({ kind, value, label, low }) => (
        <Amount
          key={kind}
          kind={kind}
          value={value}
          label={label}
          tone={low ? 'warn' : 'text'}
          live
        />
      ))}
    </span>
  )
}

interface ShownAmount {
  kind: 'diamond' | 'coin' | 'message'
  value: string
  label: string
  low?: boolean
}

function diamonds(balance: string, messages: number, formatAmount: AmountFormat): ShownAmount[] {
  const value = formatAmount('diamond', balance)
  const shown: ShownAmount[] = [
    {
      kind: 'diamond',
      value,
      label: t('wallet.diamonds', { value, count: Number(balance) }),
      low: Number(balance) < LOW_DIAMONDS,
    },
  ]
  // Messages cannot be bought before there is a shop: a zero would only raise the question.
  if (messages > 0)
    shown.push({
      kind: 'message',
      value: formatAmount('message', messages),
      label: t('wallet.messages', { value: formatAmount('message', messages), count: messages }),
    })
  return shown
}

function coins(balance: string, formatAmount: AmountFormat): ShownAmount[] {
  const value = formatAmount('coin', balance)
  return [{ kind: 'coin', value, label: t('wallet.coins', { value, count: Number(balance) }) }]
}
