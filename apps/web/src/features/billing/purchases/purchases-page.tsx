import { Link } from 'react-router'
import { ReceiptIcon } from '@phosphor-icons/react/dist/csr/Receipt'
import { Button, EmptyState, Skeleton, Tag } from '@duet/ui'
import type { Order } from '@duet/protocol/contracts/billing.ts'
import { PagedList } from '../../../shared/controls/paged-list.tsx'
import { usePages } from '../../../shared/controls/use-pages.ts'
import { dialogs } from '../../../shared/dialogs.ts'
import { PageFrame } from '../../../shared/frame.tsx'
import { t } from '../../../shared/i18n.ts'
import { useCanAddMinutes } from '../../../shared/queries.ts'
import { formatDay } from '../../../shared/texts/format-day.ts'
import { formatPrice } from '../money-format.ts'
import { orderTitle, STATUS_TONES } from './order-texts.ts'
import { SpendingLimits } from './spending-limits.tsx'

/** `/purchases/`: the own purchases, the newest first, and the own limits. */
export function PurchasesPage() {
  const pages = usePages('orders')
  const canAdd = useCanAddMinutes()
  return (
    <PageFrame title={t('billing.purchases')}>
      <PagedList
        pages={pages}
        failed={t('billing.purchases_failed')}
        skeleton={<Loading />}
        empty={
          <EmptyState
            icon={<ReceiptIcon size={40} weight="duotone" />}
            title={t('billing.purchases_empty')}
            text={t('billing.purchases_empty_text')}
            action={
              canAdd ? (
                <Button variant="primary" onClick={() => dialogs.open('not_balance', {})}>
                  {t('action.add_minutes')}
                </Button>
              ) : undefined
            }
          />
        }
      >
        {(items) => (
          <ul className="panel flex flex-col">
            {items.map((order) => (
              <PurchaseRow key={order.order_id} order={order} />
            ))}
          </ul>
        )}
      </PagedList>
      <SpendingLimits />
    </PageFrame>
  )
}

function PurchaseRow({ order }: { order: Order }) {
  const { order_id, price, currency, status, create_time } = order
  return (
    <li className="border-b border-hair last:border-b-0">
      <Link
        to={`/purchases/${order_id}`}
        className="flex min-h-[72px] items-center gap-4 px-5 py-3 hover:bg-surface-2"
      >
        <span className="min-w-0 flex-1">
          <span className="ui block font-[600]!">{orderTitle(order)}</span>
          <time dateTime={create_time} className="note text-text-2">
            {formatDay(create_time, 'medium')}
          </time>
        </span>
        <Tag tone={STATUS_TONES[status]}>{t(`billing.status.${status}`)}</Tag>
        <span className="ui text-end font-[600]!">{formatPrice(price, currency)}</span>
      </Link>
    </li>
  )
}

function Loading() {
  return (
    <div className="flex flex-col gap-2">
      {['first', 'second', 'third'].map((key) => (
        <Skeleton key={key} className="h-[72px] rounded-row!" />
      ))}
    </div>
  )
}
