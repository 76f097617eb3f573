import { Amount, Avatar, Button, Dialog } from '@duet/ui'
import { useAmountFormat } from '../../../shared/amounts.ts'
import { t } from '../../../shared/i18n.ts'
import type { OpenDialogProps } from '../../../shared/dialogs.ts'
import { useCanAddMinutes, useSettings } from '../../../shared/queries.ts'
import { useOwnUser, useAppServices } from '../../../shared/app-services.tsx'
import { useStory } from './use-story.ts'
import { usePress } from '../../../shared/controls/use-press.ts'
import { showToast } from '../../../shared/toasts.ts'

/** A demo installation without a shop gives minutes; other installations without a shop say that they sell none. */
export function DemoMinutesDialog({ input, open, close }: OpenDialogProps<'not_balance'>) {
  const { connection } = useAppServices()
  const user = useOwnUser()
  const canAdd = useCanAddMinutes()
  const price = useSettings()?.prices.public
  const story = useStory(input)
  const last_interlocutor = story?.person
  const formatAmount = useAmountFormat()
  const balance = formatAmount('diamond', user?.balance ?? '0')
  const priceText =
    price && t('wallet.add_text', { price: formatAmount('diamond', price), count: Number(price) })
  const spentText = story && t('wallet.spent_with', { nick: story.person.nick })
  const offer = input.place === 'gift' ? story?.text : (spentText ?? priceText)

  const { busy, press: add } = usePress(async () => {
    const answer = await connection.http.post(
      'demo/minutes',
      {},
      { idempotency_key: crypto.randomUUID() },
    )
    connection.patchUser({ balance: answer.balance })
    showToast({
      // The event `new_balance_info` reports the same minutes. With the shared id both are a single notice.
      id: 'balance-grant',
      kind: 'success',
      title: t('wallet.added'),
      text: t('notice.balance_diamonds', {
        balance: formatAmount('diamond', answer.balance),
        count: Number(answer.balance),
      }),
    })
    close(true)
  })

  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('action.close')}
      align="center"
      emblem={
        last_interlocutor ? (
          <Avatar name={last_interlocutor.nick} src={last_interlocutor.avatar} size={64} />
        ) : undefined
      }
      title={getTitle(input, canAdd)}
      description={canAdd ? offer : t('wallet.no_shop')}
      actions={
        canAdd ? (
          <Button variant="primary" size={54} wide busy={busy} onClick={() => void add()}>
            {t('wallet.add_demo')}
          </Button>
        ) : (
          <Button variant="secondary" size={54} wide onClick={() => close()}>
            {t('action.close')}
          </Button>
        )
      }
    >
      <p className="panel flex items-center justify-between gap-4 px-5 py-4">
        <span className="ui text-text-2">{t('wallet.balance')}</span>
        <Amount
          kind="diamond"
          size={18}
          value={balance}
          label={t('wallet.diamonds', { value: balance, count: Number(user?.balance ?? '0') })}
          className="title"
        />
      </p>
    </Dialog>
  )
}

function getTitle(
  { last_interlocutor, has_minutes, place }: OpenDialogProps<'not_balance'>['input'],
  canAdd: boolean,
): string {
  const isSpent = last_interlocutor !== undefined && !has_minutes && place !== 'gift'
  return t(isSpent || !canAdd ? 'wallet.spent' : 'action.add_minutes')
}
