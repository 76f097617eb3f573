import { Amount, cx } from '@duet/ui'
import type { PublicSettings } from '@duet/protocol'
import type { ReactNode } from 'react'
import { useAmountFormat } from '../../shared/amounts.ts'
import { t } from '../../shared/i18n.ts'

/** The price of a minute, from the operator's settings. The space is reserved until the settings are loaded. */
export function Rates({ settings }: { settings?: PublicSettings | undefined }) {
  return (
    <div className={cx('flex flex-col gap-5', settings === undefined && 'rates-unknown')}>
      <ul className="grid gap-4 md:grid-cols-3 md:gap-[18px]">
        <Rate
          title={t('landing.rates.public')}
          price={<Price amount={settings?.prices.public ?? '0'} />}
          text={freeSeconds('public', settings?.paid_after)}
        />
        <Rate
          title={t('landing.rates.private')}
          price={<Price amount={settings?.prices.private ?? '0'} />}
          text={t('landing.rates.private_text')}
        />
        <Rate
          title={t('word.free')}
          price={<span className="number-xl">{t('landing.rates.nothing')}</span>}
          text={freeSeconds('free', settings?.paid_after)}
        />
      </ul>
      <p className="note text-text-3">{t('landing.rates.exact')}</p>
    </div>
  )
}

/** A text about the free seconds, which names their number only once it is known. */
function freeSeconds(rate: 'public' | 'free', seconds: number | undefined): string {
  return seconds
    ? t(`landing.rates.${rate}_text`, { seconds })
    : t(`landing.rates.${rate}_text_unknown`)
}

function Rate({ title, price, text }: { title: string; price: ReactNode; text: string }) {
  return (
    <li className="panel flex flex-col gap-4 p-6 md:p-7">
      <h3 className="title">{title}</h3>
      <p className="rate flex min-h-16 items-baseline gap-2.5">{price}</p>
      <p className="rate body text-text-2">{text}</p>
    </li>
  )
}

function Price({ amount }: { amount: string }) {
  const price = useAmountFormat()('diamond', amount)
  return (
    <>
      <Amount
        kind="diamond"
        size={20}
        value={price}
        label={t('landing.rates.price', { price, count: Number(amount) })}
        className="number-xl gap-3!"
      />
      <span aria-hidden className="body text-text-3">
        {t('landing.rates.a_minute')}
      </span>
    </>
  )
}
