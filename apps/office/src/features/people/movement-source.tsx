import { useState } from 'react'
import { Link } from 'react-router'
import type { OfficeUser, PersonMovement } from '@duet/protocol'
import { Dialog } from '@duet/ui/overlays/dialog.tsx'
import { api } from '../../shared/api.ts'
import { EvidencePack } from '../../shared/evidence/evidence-pack.tsx'
import { CaseState, useCaseLook } from '../../shared/queue/case-look.tsx'
import { useStaff } from '../../shared/session.tsx'
import { t, textOr } from '../../shared/texts.ts'
import { shortTime } from '../../shared/times.ts'
import { SourceDialog } from './source-dialog.tsx'
import { SourceFact } from './source-fact.tsx'

/** Sources that are shown as the item itself. Finance reads no messages. */
const ITEMS = ['call', 'gift', 'message'] as const

interface MovementSourceProps {
  /** The owner of the ledger. */
  person: OfficeUser
  movement: PersonMovement
}

/** Names the source of a movement, and leads to it. */
export function MovementSource({ person, movement: { cause, cause_id } }: MovementSourceProps) {
  const { role } = useStaff()
  const [isOpen, setOpen] = useState(false)
  if (cause_id === null) return textOr(`office.purpose.${cause}`, cause)
  const name = textOr(`office.source.${cause}`, `${cause} ${cause_id}`, { id: cause_id })
  const item = ITEMS.find((one) => one === cause)
  const close = () => setOpen(false)
  if (cause === 'order' || (item && !(item === 'message' && role === 'finance')))
    return (
      <>
        <button
          type="button"
          data-open
          className="text-start underline"
          onClick={() => setOpen(true)}
        >
          {name}
        </button>
        {isOpen && cause === 'order' && <OrderDialog id={cause_id} onClose={close} />}
        {isOpen && item && (
          <SourceDialog person={person} cause={item} id={cause_id} onClose={close} />
        )}
      </>
    )
  if (cause !== 'statement' || role === 'finance') return name
  return (
    <Link data-open className="underline" to={`/users/${person.id}/sanctions`}>
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
        <div className="flex flex-col gap-4">
          <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1.5">
            <SourceFact
              name={t('office.ledger.state')}
              shown={textOr(`office.order.${order.state}`, order.state)}
            />
            <SourceFact
              name={t('office.ledger.bought')}
              shown={`${order.value + order.bonus} ${textOr(`office.asset.${order.pack === 'minutes' ? 'diamond' : 'message'}`, order.pack)}`}
            />
            <SourceFact
              name={t('office.ledger.price')}
              shown={`${order.price} ${order.currency}`}
            />
            <SourceFact name={t('office.ledger.method')} shown={order.method} />
            <SourceFact name={t('office.ledger.begun')} shown={shortTime(order.create_time)} />
            <SourceFact name={t('office.ledger.reference')} shown={order.reference} />
            <SourceFact name={t('office.ledger.payment_id')} shown={order.payment_id ?? '–'} />
          </dl>
          <EvidencePack order={id} />
        </div>
      ) : (
        <CaseState look={look} />
      )}
    </Dialog>
  )
}
