import { useRef } from 'react'
import { PhoneIcon } from '@phosphor-icons/react/dist/csr/Phone'
import { Button, Dialog } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { formatPersonName } from '../../shared/texts/person.ts'
import type { Ring } from './matchmaking-state.ts'
import { NoDevices, RingPortrait, RingPrice, RingTime, useIncomingRing } from './ring-parts.tsx'
import { useDialogKeys } from './use-dialog-keys.ts'
import { useSearchCommands } from './search-context.tsx'

/** Another user calls. No answer counts as missed. */
export function RingingDialog({ ring }: { ring: Ring }) {
  const commands = useSearchCommands()
  const heading = useRef<HTMLSpanElement>(null)
  const { user_interlocutor: person, about } = ring.pair
  const isOpen = ring.answer !== 'end'
  const accept = () => void commands.acceptRing()
  const decline = () => void commands.endRing()
  useIncomingRing(ring)
  const hasKeys = useDialogKeys({
    keys: { Enter: accept, Escape: decline },
    inside: heading,
    active: isOpen,
  })
  return (
    <Dialog
      open={isOpen}
      blocking
      // If the server refuses the press on Accept, a dialog above explains the refusal.
      layer="dialog"
      role="alertdialog"
      align="center"
      emblem={<RingPortrait person={person} />}
      title={
        <span ref={heading} tabIndex={-1} className="outline-none">
          {t('matching.ring.calls', { nick: formatPersonName(person) })}
        </span>
      }
      description={about ? <span className="line-clamp-2">{about}</span> : undefined}
      // A user who was typing must not press a button of this dialog.
      initialFocus={heading}
      actions={
        <>
          <Button
            size={54}
            className="md:flex-1"
            aria-keyshortcuts={hasKeys ? 'Escape' : undefined}
            onClick={decline}
          >
            {t('matching.ring.decline')}
          </Button>
          <Button
            variant="primary"
            size={54}
            className="md:flex-1"
            busy={ring.answer === 'accept'}
            aria-keyshortcuts={hasKeys ? 'Enter' : undefined}
            icon={<PhoneIcon size={22} weight="fill" />}
            end={<RingTime ring={ring} />}
            onClick={accept}
          >
            {t('matching.ring.accept')}
          </Button>
        </>
      }
    >
      <RingPrice pair={ring.pair} />
      <NoDevices ring={ring} />
    </Dialog>
  )
}
