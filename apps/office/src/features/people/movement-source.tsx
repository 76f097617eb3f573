import { useState } from 'react'
import { Link } from 'react-router'
import type { PersonMovement } from '@duet/protocol'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { api } from '../../shared/api.ts'
import { CaseState, useCaseLook } from '../../shared/queue/case-look.tsx'
import { useStaff } from '../../shared/session.tsx'
import { t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'

/** The tabs of the page of a person that show where money came from. Finance reads orders only. */
const TABS: Readonly<Record<string, string>> = {
  call: 'calls',
  gift: 'calls',
  message: 'dialogs',
  statement: 'sanctions',
}

interface MovementSourceProps {
  /** The owner of the ledger. */
  person: number
  movement: PersonMovement
}

/** Names the source of a movement, and leads to it. */
export function MovementSource({ person, movement: { cause, cause_id } }: MovementSourceProps) {
  const { role } = useStaff()
  const [isOpen, setOpen] = useState(false)
  if (cause_id === null) return textOr(`office.purpose.${cause}`, cause)
  const name = textOr(`office.source.${cause}`, `${cause} ${cause_id}`, { id: cause_id })
  if (cause === 'order')
    return (
      <>
        <button type="button" className="text-start underline" onClick={() => setOpen(true)}>
          {name}
        </button>
        {isOpen && <OrderDialog id={cause_id} onClose={() => setOpen(false)} />}
      </>
    )
  const tab = role === 'finance' ? undefined : TABS[cause]
  if (tab === undefined) return name
  return (
    <Link className="underline" to={`/users/${person}/${tab}`}>
      {name}
    </Link>
  )
}

/** An order with what its provider reported. The look is recorded. */
function OrderDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const look = useCaseLook(['order-of-movement', id], () =>
    api.get('v2/manager/payments/{id}', { id }),
  )
  const order = look.data?.order
  return (
    <Dialog
      open
      title={t('office.ledger.order', { id })}
      closeLabel={t('action.close')}
      onClose={onClose}
    >
      {order ? (
        <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.5">
          <Fact
            name={t('office.ledger.state')}
            shown={textOr(`office.order.${order.state}`, order.state)}
          />
          <Fact
            name={t('office.ledger.bought')}
            shown={`${order.value + order.bonus} ${textOr(`office.asset.${order.pack === 'minutes' ? 'diamond' : 'message'}`, order.pack)}`}
          />
          <Fact name={t('office.ledger.price')} shown={`${order.price} ${order.currency}`} />
          <Fact name={t('office.ledger.method')} shown={order.method} />
          <Fact name={t('office.ledger.begun')} shown={shortTime(order.create_time)} />
          <Fact name={t('office.ledger.reference')} shown={order.reference} />
          <Fact name={t('office.ledger.payment_id')} shown={order.payment_id ?? '–'} />
        </dl>
      ) : (
        <CaseState look={look} />
      )}
    </Dialog>
  )
}

function Fact({ name, shown }: { name: string; shown: string }) {
  return (
    <div className="contents">
      <dt className="text-text-2">{name}</dt>
      <dd className="break-words">
        <bdi>{shown}</bdi>
      </dd>
    </div>
  )
}
