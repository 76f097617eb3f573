import { useEffect, useRef } from 'react'
import { PhoneIcon } from '@phosphor-icons/react/dist/csr/Phone'
import { Banner, Button, Dialog } from '@duet/ui'
import { WarningIcon } from '@phosphor-icons/react/dist/csr/Warning'
import { closeNotification } from '../../shared/navigation/close-notification.ts'
import { t } from '../../shared/i18n.ts'
import { formatPersonName } from '../../shared/texts/person.ts'
import type { Ring } from './matchmaking-state.ts'
import { RingPortrait, RingPrice, RingTime, useRinging } from './ring-parts.tsx'
import { useDialogKeys } from './use-dialog-keys.ts'
import { useSearchCommands } from './search-context.tsx'

/** Another user calls. No answer counts as missed. */
export function RingingDialog({ ring }: { ring: Ring }) {
  const commands = useSearchCommands()
  const acceptButton = useRef<HTMLButtonElement>(null)
  const { user_interlocutor: person, about } = ring.pair
  const { nick } = person
  const title = t('matching.ring.calls', { nick })
  const isAccepting = ring.answer === 'accept'
  const accept = () => void commands.acceptRing()
  const decline = () => void commands.endRing()
  const { pair_id } = ring.pair
  useRinging('ring', title)
  useEffect(() => {
    // The message that the phone showed before this page opened.
    closeNotification(`ring-${pair_id}`).catch(() => {})
  }, [pair_id])
  useDialogKeys({ Enter: accept, Escape: decline })
  return (
    <Dialog
      open={ring.answer !== 'end'}
      blocking
      role="alertdialog"
      align="center"
      emblem={<RingPortrait person={person} />}
      title={t('matching.ring.calls', { nick: formatPersonName(person) })}
      description={about ? <span className="line-clamp-2">{about}</span> : undefined}
      initialFocus={acceptButton}
      actions={
        <>
          <Button size={54} className="md:flex-1" onClick={decline}>
            {t('matching.ring.decline')}
          </Button>
          <Button
            ref={acceptButton}
            variant="primary"
            size={54}
            className="md:flex-1"
            busy={isAccepting}
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
      {ring.answer === 'no_devices' ? (
        <Banner className="mt-3" icon={<WarningIcon size={20} weight="fill" />}>
          {t('matching.ring.no_devices')}
        </Banner>
      ) : null}
    </Dialog>
  )
}
