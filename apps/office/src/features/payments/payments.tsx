import type { PaymentCase, QuarantinedOrder } from '@duet/protocol'
import { api } from '../../shared/api.ts'
import { EvidencePack } from '../../shared/evidence/evidence-pack.tsx'
import { CaseState, useCaseLook } from '../../shared/queue/case-look.tsx'
import { PersonLink } from '../../shared/person-link.tsx'
import { personName } from '../../shared/person-name.ts'
import { QueuePage } from '../../shared/queue/queue-page.tsx'
import type { QueueShape } from '../../shared/queue/queue-shape.ts'
import { t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { PaymentDecision } from './payment-decision.tsx'
import { stepText, whyRefused } from './payment-texts.ts'
import { RawCallback } from './raw-callback.tsx'

const PAGE = 50

const shape: QueueShape<QuarantinedOrder> = {
  queue: 'payments',
  title: t('office.nav.payments'),
  list: ({ last }) => api.get('v2/manager/payments', { 'per-page': PAGE, before: last?.order_id }),
  idOf: ({ order_id }) => String(order_id),
  claimOf: ({ claim }) => claim,
  sinceOf: ({ at }) => at,
  row: ({ user, price, currency, why }) => ({
    title: `${price} ${currency} · ${personName(user)}`,
    text: whyRefused(why),
  }),
  detail: PaymentView,
}

/** Orders for which money came in, not as ordered. */
export function Payments() {
  return <QueuePage shape={shape} />
}

function PaymentView({ item, onDecided }: { item: QuarantinedOrder; onDecided: () => void }) {
  const look = useCaseLook(['payment', item.order_id], () =>
    api.get('v2/manager/payments/{id}', { id: item.order_id }),
  )
  const { data } = look
  if (!data) return <CaseState look={look} />
  const { order, steps, acts, callbacks } = data
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto lg:flex-row lg:overflow-hidden">
      <div className="flex min-w-0 flex-1 flex-col gap-4 p-4 lg:overflow-y-auto">
        <h2 className="font-medium">
          {t('office.payment.order', { id: order.order_id })} · {whyRefused(order.why)}
        </h2>
        <OrderFacts order={order} />
        <EvidencePack order={order.order_id} />
        <section className="flex flex-col gap-2">
          <h2 className="font-medium">{t('office.payment.came_in')}</h2>
          {steps.length === 0 && <p className="text-text-2">{t('office.payment.no_steps')}</p>}
          {steps.map((step, index) => (
            <p key={index} className="flex justify-between gap-2">
              <bdi>{stepText(step)}</bdi>
              <time className="text-text-2" dateTime={step.at}>
                {shortTime(step.at)}
              </time>
            </p>
          ))}
        </section>
        {acts.map(({ act, decided_by, reason, at }) => (
          <p key={at} className="flex flex-wrap justify-between gap-x-3">
            <span>
              {textOr(`office.act.${act}`, act)}: <bdi>{reason}</bdi>
            </span>
            <span className="text-text-2">
              <bdi>{decided_by}</bdi> · <time dateTime={at}>{shortTime(at)}</time>
            </span>
          </p>
        ))}
        {callbacks.map((callback) => (
          <RawCallback key={callback.id} callback={callback} />
        ))}
      </div>
      <PaymentDecision shown={data} onDecided={onDecided} />
    </div>
  )
}

function OrderFacts({ order }: { order: PaymentCase['order'] }) {
  const { user, pack, value, bonus, price, currency, method, reference, payment_id } = order
  const what = { count: value + bonus, price: `${price} ${currency}` }
  const facts = [
    [t('office.payment.buyer'), <PersonLink key="buyer" isAside person={user} />],
    [
      t('office.payment.ordered'),
      pack === 'minutes' ? t('office.payment.minutes', what) : t('office.payment.messages', what),
    ],
    [t('office.payment.method'), method],
    [t('office.payment.begun'), shortTime(order.create_time)],
    [t('office.payment.reference'), reference],
    [t('office.payment.payment_id'), payment_id ?? '–'],
  ] as const
  return (
    <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.5">
      {facts.map(([name, shown]) => (
        <div key={name} className="contents">
          <dt className="text-text-2">{name}</dt>
          <dd className="break-words">{shown}</dd>
        </div>
      ))}
    </dl>
  )
}
