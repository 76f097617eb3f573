import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import type { Permission, UserInterlocutor } from '@duet/protocol'
import { Button, type ButtonProps, IconButton, type IconButtonProps } from '@duet/ui'
import { t } from '../i18n.ts'
import { useCall } from './use-call.ts'

interface CallProps {
  person: UserInterlocutor
  /** The permission that came with the user. */
  known?: Permission | undefined
  /** The button says "Invite": the other user pays. */
  invites?: boolean
}

/** Calls a user, or says why the user cannot be called now. Its texts are in the catalogue `favourites`. */
export function CallButton({
  person,
  known,
  invites,
  ...look
}: CallProps & Pick<ButtonProps, 'size' | 'variant' | 'wide' | 'className'>) {
  const { busy, reason, call } = useCall(person, known)
  const { nick } = person
  return (
    <Button
      {...look}
      busy={busy}
      aria-disabled={reason === undefined ? undefined : true}
      icon={<VideoCameraIcon size={22} weight="fill" className="mirror" />}
      aria-label={reason ?? t(invites ? 'person.invite' : 'person.call_to', { nick })}
      onClick={call}
    >
      {t(invites ? 'person.invite_short' : 'person.call_short')}
    </Button>
  )
}

/** The same where a label has no room. */
export function CallIconButton({
  person,
  known,
  invites,
  ...look
}: CallProps & Pick<IconButtonProps, 'variant' | 'size' | 'className'>) {
  const { busy, reason, call } = useCall(person, known)
  return (
    <IconButton
      {...look}
      busy={busy}
      aria-disabled={reason === undefined ? undefined : true}
      label={reason ?? t(invites ? 'person.invite' : 'person.call_to', { nick: person.nick })}
      icon={<VideoCameraIcon size={20} weight="fill" className="mirror" />}
      onClick={call}
    />
  )
}
