import { useQueryClient } from '@tanstack/react-query'
import { CoinsIcon } from '@phosphor-icons/react/dist/csr/Coins'
import { CountdownConfirm } from '@duet/ui'
import { useAmountFormat } from '../../shared/amounts.ts'
import { useAppServices } from '../../shared/app-services.tsx'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'
import { useSettings } from '../../shared/queries.ts'
import { formatDay } from '../../shared/texts/format-day.ts'
import { citedRule } from '@duet/protocol/kernel/rule-names.ts'
import { Appeal } from './appeal.tsx'
import { BrokenRule } from './broken-rule.tsx'
import { reasonText } from './sanction-texts.ts'
import { EvidencePicture } from './statement-evidence.tsx'

function placeText(place: string, reason: string): string {
  const where = t(`penalty.place.${place as 'other'}`)
  return t('penalty.why', { where, reason: reasonText(reason) })
}

/** PenaltyReceived: what was taken and why. It can be closed when it could be read, and then counts as read. */
export function PenaltyDialog({ input, open, close }: OpenDialogProps<'penalty'>) {
  const { amount, comment, place, reason, screenshot, statement_id } = input
  const { connection } = useAppServices()
  const queries = useQueryClient()
  const formatAmount = useAmountFormat()
  const confirm = () => {
    close()
    void connection.http
      .post('v2/penalty/mark-all-as-read')
      .then(() => queries.invalidateQueries({ queryKey: ['penalties'] }))
      // It stays unread, and the list says so.
      .catch(() => {})
  }
  return (
    <CountdownConfirm
      open={open}
      seconds={5}
      emblem={<CoinsIcon size={28} weight="duotone" />}
      title={t('penalty.title')}
      description={placeText(place, reason)}
      ready={t('penalty.ready')}
      confirm={{
        label: t('penalty.read'),
        waiting: (seconds) => t('penalty.read_in', { seconds }),
        variant: 'primary',
        onPress: confirm,
      }}
    >
      <p className="display-s text-danger">
        {t('penalty.amount', { amount: formatAmount('coin', amount) })}
      </p>
      <p className="body mt-2 whitespace-pre-line break-words">{comment}</p>
      <BrokenRule rule={citedRule(reason)} />
      {screenshot ? <EvidencePicture id={statement_id} kind="screenshot" /> : null}
      <p className="note mt-2 text-text-2">
        {t('penalty.total', { count: input.total_penalties })}
      </p>
      <Refund until={input.refundable_until} />
      <Appeal statement_id={statement_id} can_appeal appeal={undefined} />
    </CountdownConfirm>
  )
}

/** How the girl gets her first penalty back. */
function Refund({ until }: { until: string | undefined }) {
  const coins = useSettings()?.penalty_refund_coins
  const formatAmount = useAmountFormat()
  if (!until || !coins) return null
  const values = { coins: formatAmount('coin', coins), day: formatDay(until) }
  return <p className="note mt-2 text-text-2">{t('penalty.refundable', values)}</p>
}
