import { useRef } from 'react'
import { PhoneDisconnectIcon } from '@phosphor-icons/react/dist/csr/PhoneDisconnect'
import { Button, Dialog } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { WriteButton } from '../../shared/people/write-button.tsx'
import type { EndedRing, Ring } from './matchmaking-state.ts'
import { RingPortrait, RingPrice, RingTime, useRinging } from './ring-parts.tsx'
import { useDialogKeys } from './use-dialog-keys.ts'
import { useSearchCommands } from './search-context.tsx'

/** The own call: first it rings, then a sentence says why it came to nothing. A callee who accepted reads why, too. */
export function CallingDialog({ ring, ended }: { ring: Ring | null; ended: EndedRing | null }) {
  const isRinging = ring !== null && ring.answer !== 'end'
  if (isRinging) return <Calling key={ring.pair.pair_id} ring={ring} />
  return ended ? <Ended key={ended.pair.pair_id} ended={ended} /> : null
}

function Calling({ ring }: { ring: Ring }) {
  const commands = useSearchCommands()
  const cancelButton = useRef<HTMLButtonElement>(null)
  const { user_interlocutor: person } = ring.pair
  const cancel = () => void commands.endRing()
  useRinging('calling', t('matching.ring.calling', { nick: person.nick }), true)
  useDialogKeys({ keys: { Escape: cancel }, inside: cancelButton, active: true })
  return (
    <Dialog
      open
      blocking
      align="center"
      emblem={<RingPortrait person={person} />}
      title={t('matching.ring.calling', { nick: person.nick })}
      initialFocus={cancelButton}
      actions={
        <Button
          ref={cancelButton}
          variant="danger"
          size={54}
          wide
          icon={<PhoneDisconnectIcon size={22} weight="fill" />}
          end={<RingTime ring={ring} />}
          onClick={cancel}
        >
          {t('matching.ring.cancel')}
        </Button>
      }
    >
      <RingPrice pair={ring.pair} />
    </Dialog>
  )
}

function toTitle(
  { user_interlocutor: { nick, role }, role_in_call }: EndedRing['pair'],
  reason: EndedRing['reason'],
): string {
  if (role_in_call === 'callee') return t('matching.ring.ended_callee', { nick, reason })
  // The partner's role tells the own role: he lacks balance, she may not take calls now.
  if (reason === 'unable') return t('matching.ring.ended_unable', { nick, role })
  return t('matching.ring.ended', { nick, reason })
}

function Ended({ ended: { pair, reason } }: { ended: EndedRing }) {
  const { closeRing } = useSearchCommands()
  const { user_interlocutor: person } = pair
  const canWrite = reason !== 'blocked'
  return (
    <Dialog
      open
      align="center"
      onClose={closeRing}
      closeLabel={t('action.close')}
      emblem={<RingPortrait person={person} />}
      title={toTitle(pair, reason)}
      description={canWrite ? t('matching.ring.ended_text') : undefined}
      actions={
        <>
          <Button size={54} className="md:flex-1" onClick={closeRing}>
            {t('action.close')}
          </Button>
          {canWrite ? (
            <WriteButton
              person={person}
              variant="primary"
              size={54}
              className="md:flex-1"
              onLeave={async () => closeRing()}
            />
          ) : null}
        </>
      }
    />
  )
}
