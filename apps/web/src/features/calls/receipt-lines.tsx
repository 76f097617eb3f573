import type { Receipt } from '@duet/protocol'
import { useAmountFormat, type AmountFormat } from '../../shared/amounts.ts'
import { t } from '../../shared/i18n.ts'
import { useOwnUser } from '../../shared/account/own-user.tsx'
import { clockText } from './meter-clock.ts'

/** The cost or the earnings of the call, exactly as the ledger has them. */
export function ReceiptLines({ receipt }: { receipt: Receipt }) {
  const { role } = useOwnUser()
  const format = useAmountFormat()
  const isGirl = role === 'girl'
  const paused = receipt.paused.reduce((total, { seconds }) => total + seconds, 0)
  const free = receipt.free_seconds + receipt.quota_seconds
  // "Free" already states that nothing was paid, so an amount of 0 is left out.
  const isFreeOfCharge = free > 0 && Number((isGirl ? receipt.earned : receipt.spent) ?? 0) === 0
  const lines = [
    { name: t('video.receipt.talked'), value: clockText(receipt.seconds) },
    ...(free > 0 ? [{ name: t('word.free'), value: clockText(free) }] : []),
    ...(receipt.paid_seconds > 0
      ? [{ name: t('video.receipt.paid'), value: clockText(receipt.paid_seconds) }]
      : []),
    ...(paused > 0 ? [{ name: t('video.receipt.paused'), value: clockText(paused) }] : []),
    ...(isFreeOfCharge ? [] : [isGirl ? earnedLine(receipt, format) : spentLine(receipt, format)]),
  ]
  return (
    <dl
      aria-label={t('video.receipt.title')}
      className="mt-5 flex w-full max-w-[420px] flex-wrap gap-x-7 gap-y-3 md:justify-center"
    >
      {lines.map(({ name, value }) => (
        <div key={name} className="flex flex-col gap-0.5">
          <dt className="meta text-text-3">{name}</dt>
          <dd className="ui font-[600]! figures">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function earnedLine({ earned = '0' }: Receipt, format: AmountFormat) {
  const value = t('video.receipt.coins', { amount: format('coin', earned), count: Number(earned) })
  return { name: t('video.receipt.earned'), value }
}

function spentLine({ spent = '0' }: Receipt, format: AmountFormat) {
  const amount = format('diamond', spent)
  const value = t('video.receipt.diamonds', { amount, count: Number(spent) })
  return { name: t('video.receipt.spent'), value }
}
