import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Field, Select } from '@duet/ui'
import type { SpendingLimits as Limits } from '@duet/protocol/contracts/billing.ts'
import { useAppServices } from '../../../shared/app-services.tsx'
import { onSubmit, usePress } from '../../../shared/controls/use-press.ts'
import { t } from '../../../shared/i18n.ts'
import { formatDay } from '../../../shared/texts/format-day.ts'
import { toLatinDigits } from '../../../shared/texts/latin-digits.ts'
import { showToast } from '../../../shared/toasts.ts'
import { formatPrice } from '../money-format.ts'

const KEY = ['account', 'limits'] as const
/** With a point or a comma: `14.99` or `14,99`. */
const AMOUNT = /^\d{1,7}([.,]\d{1,2})?$/
const PAUSES = ['1', '7', '30'] as const

/** The own daily limit of money, and a time without purchases. Lower counts at once, higher after a day. */
export function SpendingLimits() {
  const { connection } = useAppServices()
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: () => connection.http.get('account/limits', {}),
  })
  if (!data) return null
  return (
    <section className="panel mt-6 max-w-[640px] p-6" aria-labelledby="own-limits">
      <h2 id="own-limits" className="title">
        {t('billing.limits')}
      </h2>
      <p className="note mt-1 text-text-2">{t('billing.limits_text')}</p>
      <DailyLimit limits={data} />
      <CoolOff limits={data} />
    </section>
  )
}

const inUsd = (amount: string) => formatPrice(amount, 'USD')

function useChange() {
  const { connection } = useAppServices()
  const queries = useQueryClient()
  return usePress(async (change: { daily_usd?: string | null; cool_off_hours?: number }) => {
    queries.setQueryData(KEY, await connection.http.post('account/limits', change))
    showToast({ kind: 'success', title: t('billing.limits_saved') })
  })
}

function DailyLimit({ limits: { daily_usd, spent_today, next } }: { limits: Limits }) {
  const [typed, setTyped] = useState(daily_usd ?? '')
  const { busy, press } = useChange()
  const amount = typed.replace(',', '.')
  const isValid = typed === '' || (AMOUNT.test(typed) && Number(amount) > 0)
  return (
    <form
      onSubmit={onSubmit(() => press({ daily_usd: typed === '' ? null : amount }))}
      className="mt-4 flex flex-wrap items-end gap-3"
    >
      <Field
        label={t('billing.daily_limit')}
        inputMode="decimal"
        value={typed}
        onChange={(event) => setTyped(toLatinDigits(event.target.value.trim()))}
        error={isValid ? undefined : t('billing.daily_invalid')}
      />
      <Button type="submit" busy={busy} disabled={!isValid || amount === (daily_usd ?? '')}>
        {t('billing.save_limit')}
      </Button>
      <p className="note w-full text-text-2">
        {t('billing.spent_today', { price: inUsd(spent_today) })}
      </p>
      {next ? (
        <p className="note w-full text-text-2">
          {next.daily_usd === null
            ? t('billing.next_none', { day: formatDay(next.from, 'medium') })
            : t('billing.next_limit', {
                price: inUsd(next.daily_usd),
                day: formatDay(next.from, 'medium'),
              })}
        </p>
      ) : null}
    </form>
  )
}

function CoolOff({ limits: { cool_off_until } }: { limits: Limits }) {
  const [days, setDays] = useState<(typeof PAUSES)[number]>('1')
  const { busy, press } = useChange()
  if (cool_off_until)
    return (
      <p className="note mt-5 text-text-2">
        {t('billing.pause_until', { day: formatDay(cool_off_until) })}
      </p>
    )
  return (
    <div className="mt-5 flex flex-wrap items-end gap-3">
      <Select
        label={t('billing.pause')}
        value={days}
        onChange={(value) => setDays(value as (typeof PAUSES)[number])}
        options={PAUSES.map((value) => ({
          value,
          label: t('billing.pause_days', { count: Number(value) }),
        }))}
      />
      <Button busy={busy} onClick={() => void press({ cool_off_hours: 24 * Number(days) })}>
        {t('billing.start_pause')}
      </Button>
    </div>
  )
}
