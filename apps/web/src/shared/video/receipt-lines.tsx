import type { CallAccount } from '@duet/protocol'
import { cx } from '@duet/ui'
import { useAmountFormat, type AmountFormat } from '../amounts.ts'
import { t } from '../i18n.ts'
import { clockText } from '../texts/durations.ts'

/** The cost or the earnings of the call, exactly as the ledger has them. */
export function ReceiptLines({
  receipt,
  className = 'mt-5 md:justify-center',
}: {
  receipt: CallAccount
  className?: string
}) {
  const format = useAmountFormat()
  const isGirl = receipt.earned !== undefined
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
      className={cx('flex w-full max-w-[420px] flex-wrap gap-x-7 gap-y-3', className)}
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

function earnedLine({ earned = '0' }: CallAccount, format: AmountFormat) {
  const value = t('video.receipt.coins', { amount: format('coin', earned), count: Number(earned) })
  return { name: t('video.receipt.earned'), value }
}

function spentLine({ spent = '0' }: CallAccount, format: AmountFormat) {
  const amount = format('diamond', spent)
  const value = t('video.receipt.diamonds', { amount, count: Number(spent) })
  return { name: t('video.receipt.spent'), value }
}
