import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { Button, buttonLook, EmptyState, Skeleton, Tag, useSkeleton } from '@duet/ui'
import type { Order } from '@duet/protocol/contracts/billing.ts'
import { useAppServices } from '../../../shared/app-services.tsx'
import { usePress } from '../../../shared/controls/use-press.ts'
import { PageFrame } from '../../../shared/frame.tsx'
import { t } from '../../../shared/i18n.ts'
import { saveFile } from '../../../shared/media/save-file.ts'
import { formatDay } from '../../../shared/texts/format-day.ts'
import { formatPrice } from '../money-format.ts'
import { useOrder } from '../order-query.ts'
import { orderTitle, STATUS_TONES } from './order-texts.ts'

/** `/purchases/:order_id`: one purchase with its receipt, which can be printed and saved. */
export function PurchasePage() {
  const given = Number(useParams().order_id)
  const order_id = Number.isSafeInteger(given) && given > 0 ? given : 0
  const { data, isError, refetch } = useOrder(order_id)
  const hasSkeleton = useSkeleton(!data && !isError)
  return (
    <PageFrame title={t('billing.purchase', { number: order_id })}>
      {data ? <Receipt order={data} /> : null}
      {!data && hasSkeleton ? <Skeleton className="h-80 max-w-[640px] rounded-panel!" /> : null}
      {isError || order_id === 0 ? (
        <EmptyState
          title={t('billing.purchase_failed')}
          action={<Button onClick={() => void refetch()}>{t('action.retry')}</Button>}
        />
      ) : null}
    </PageFrame>
  )
}

function Receipt({ order }: { order: Order }) {
  const { order_id, price, currency, method, status, create_time, paid_time, returned } = order
  const { connection } = useAppServices()
  const { busy, press } = usePress(async () =>
    saveFile(
      await connection.http.download('orders/{id}/receipt', { id: order_id }),
      `duet-receipt-${order_id}.pdf`,
    ),
  )
  return (
    <section className="panel max-w-[640px] p-6">
      <dl className="flex flex-col gap-3">
        <Line label={t('billing.line.item')}>{orderTitle(order)}</Line>
        {order.bonus > 0 ? <Line label={t('billing.line.bonus')}>+{order.bonus}</Line> : null}
        <Line label={t('billing.line.date')}>{formatDay(paid_time ?? create_time)}</Line>
        <Line label={t('billing.pay_with')}>{t(`billing.method.${method}`)}</Line>
        <Line label={t('billing.line.price')}>{formatPrice(price, currency)}</Line>
        {Number(returned) > 0 ? (
          <Line label={t('billing.line.returned')}>{formatPrice(returned, currency)}</Line>
        ) : null}
        <Line label={t('billing.line.state')}>
          <Tag tone={STATUS_TONES[status]}>{t(`billing.status.${status}`)}</Tag>
        </Line>
      </dl>
      {status === 'checking' ? (
        <p className="note mt-4 text-text-2">{t('billing.checking_text')}</p>
      ) : null}
      <div className="mt-6 flex flex-wrap gap-2.5 print:hidden">
        {paid_time ? (
          <>
            <Button busy={busy} onClick={() => void press()}>
              {t('billing.receipt')}
            </Button>
            <Button onClick={() => print()}>{t('billing.print')}</Button>
          </>
        ) : null}
        <Link to="/purchases/" className={buttonLook({ variant: 'quiet' })}>
          {t('billing.purchases')}
        </Link>
      </div>
    </section>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-4">
      <dt className="note text-text-2">{label}</dt>
      <dd className="ui text-end font-[600]!">{children}</dd>
    </div>
  )
}
