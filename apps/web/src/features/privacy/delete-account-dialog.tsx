import { useEffect, useRef } from 'react'
import { Button, CountdownConfirm, Dialog } from '@duet/ui'
import type { User } from '@duet/protocol'
import { limits } from '@duet/protocol/kernel/limits.ts'
import { useAmountFormat, type AmountFormat } from '../../shared/amounts.ts'
import { dialogs, type OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { useAppServices, useOwnUser } from '../../shared/app-services.tsx'
import { formatDay } from '../../shared/texts/format-day.ts'
import { OwnPasswordField, useOwnPassword } from './own-password.tsx'

const WAIT_SECONDS = 5

/** The last question before an account is deleted. First explains what happens to the balance. */
export function DeleteAccountDialog({ open, close }: OpenDialogProps<'delete_account'>) {
  const { connection } = useAppServices()
  const user = useOwnUser()
  const formatAmount = useAmountFormat()
  const { field, busy, submit } = useOwnPassword((asked) =>
    connection.deleteAccount({ ...asked, confirm: true }),
  )
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = open
  }, [open])
  async function deleteAccount(): Promise<void> {
    const done = await submit()
    if (!done) return
    // Back takes the dialog away, but not the request.
    if (isShown.current) close(done.answer)
    else dialogs.open('account_leaves', done.answer)
  }
  return (
    <CountdownConfirm
      open={open}
      title={t('privacy.ask.title')}
      description={user ? balanceLine(user, formatAmount) : undefined}
      seconds={WAIT_SECONDS}
      keep={{ label: t('privacy.ask.keep'), onPress: () => close() }}
      confirm={{
        label: t('privacy.ask.confirm'),
        waiting: (seconds) => t('action.delete_in', { seconds }),
        onPress: () => void deleteAccount(),
      }}
      ready={t('privacy.ask.ready')}
      busy={busy}
    >
      <div className="flex flex-col gap-5">
        <p className="body text-text-2">{t('privacy.ask.text', { days: limits.deletion_days })}</p>
        <form
          onSubmit={(event) => {
            event.preventDefault()
          }}
        >
          <OwnPasswordField {...field} />
        </form>
      </div>
    </CountdownConfirm>
  )
}

/**
 * A sentence about the remaining balance: coins that the user could still withdraw, or minutes and messages that the
 * user could still use.
 */
function balanceLine(user: User, formatAmount: AmountFormat): string {
  const balance = moneyLine(user, formatAmount)
  if (!user.is_premium || !user.premium_until) return balance
  return `${balance} ${t('privacy.ask.premium', { day: formatDay(user.premium_until) })}`
}

function moneyLine(user: User, formatAmount: AmountFormat): string {
  if (user.role === 'girl')
    return Number(user.balance) > 0
      ? t('privacy.ask.coins', {
          amount: formatAmount('coin', user.balance),
          coins: Number(user.balance),
        })
      : t('privacy.ask.no_balance')
  return Number(user.balance) > 0 || user.balance_messages > 0
    ? t('privacy.ask.diamonds', {
        amount: formatAmount('diamond', user.balance),
        minutes: Number(user.balance),
        messages: user.balance_messages,
      })
    : t('privacy.ask.no_balance')
}

/** After the request: until when it can be taken back. */
export function AccountLeavesDialog({ input, open, close }: OpenDialogProps<'account_leaves'>) {
  const day = formatDay(input.erased_at)
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      title={t('privacy.leaves.title')}
      description={t('privacy.leaves.text', { day })}
      actions={
        <Button variant="primary" onClick={() => close()}>
          {t('action.close')}
        </Button>
      }
    />
  )
}
