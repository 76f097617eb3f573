import { PhoneIcon } from '@phosphor-icons/react/dist/csr/Phone'
import type { Permission, UserInterlocutor } from '@duet/protocol'
import { Button, type ButtonProps, IconButton, type IconButtonProps } from '@duet/ui'
import { t } from '../i18n.ts'
import { useCall } from './use-call.ts'

interface CallProps {
  person: UserInterlocutor
  /** The permission that came with the user. */
  known?: Permission | undefined
}

/** Calls a user, or says why the user cannot be called now. Its texts are in the catalogue `favourites`. */
export function CallButton({
  person,
  known,
  invites,
  ...look
}: CallProps &
  Pick<ButtonProps, 'size' | 'variant' | 'wide' | 'className'> & {
    /** The button says "Invite": the other user pays. */
    invites?: boolean
  }) {
  const { busy, reason, call } = useCall(person, known)
  const { nick } = person
  return (
    <Button
      {...look}
      busy={busy}
      aria-disabled={reason === undefined ? undefined : true}
      icon={<PhoneIcon size={22} weight="fill" />}
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
  ...look
}: CallProps & Pick<IconButtonProps, 'variant' | 'size' | 'className'> & { light?: boolean }) {
  const { light, ...rest } = look
  const { busy, reason, call } = useCall(person, known)
  return (
    <IconButton
      {...rest}
      busy={busy}
      aria-disabled={reason === undefined ? undefined : true}
      label={reason ?? t('person.call_to', { nick: person.nick })}
      icon={<PhoneIcon size={20} weight="fill" className={light ? 'text-white' : undefined} />}
      onClick={call}
    />
  )
}
