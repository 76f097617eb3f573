import { useId } from 'react'
import { PhoneIcon } from '@phosphor-icons/react/dist/csr/Phone'
import { Avatar, Button, cx } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { formatPersonName } from '../../shared/texts/person.ts'
import type { Ring } from './matchmaking-state.ts'
import { NoDevices, RingTime, useIncomingRing } from './ring-parts.tsx'
import { PriceLine } from './price-line.tsx'
import { useSearchCommands } from './search-context.tsx'

/** Another user calls during a call: a card beside the controls of the call, which keeps its keys. */
export function RingingCard({ ring, place }: { ring: Ring; place: 'call' | 'page' }) {
  const commands = useSearchCommands()
  const id = useId()
  const { user_interlocutor: person } = ring.pair
  useIncomingRing(ring)
  if (ring.answer === 'end') return null
  return (
    <section
      aria-labelledby={id}
      data-theme="dark"
      className={cx(
        'panel fixed inset-x-3 z-sheet mx-auto max-w-[400px] rounded-panel bg-surface-1 p-4 text-text shadow-[inset_0_0_0_1px_var(--hair-2),var(--elevation-3)]',
        place === 'call' ? 'top-[92px] max-md:top-[200px]' : 'top-[184px]',
      )}
    >
      <div className="flex items-center gap-3">
        <Avatar name={person.nick} decorative src={person.avatar} size={48} />
        <div className="min-w-0 flex-1">
          <h2 id={id} role="alert" className="title text-[1rem]!">
            {t('matching.ring.calls', { nick: formatPersonName(person) })}
          </h2>
          <p className="note text-text-2">{t('matching.ring.ends_call')}</p>
        </div>
        <RingTime ring={ring} />
      </div>
      <div className="mt-3">
        <PriceLine pair={ring.pair} />
        <NoDevices ring={ring} />
      </div>
      <div className="mt-4 flex gap-2.5">
        <Button className="flex-1" onClick={() => void commands.endRing()}>
          {t('matching.ring.decline')}
        </Button>
        <Button
          variant="primary"
          className="flex-1"
          busy={ring.answer === 'accept'}
          icon={<PhoneIcon size={18} weight="fill" />}
          onClick={() => void commands.acceptRing()}
        >
          {t('matching.ring.accept')}
        </Button>
      </div>
    </section>
  )
}
