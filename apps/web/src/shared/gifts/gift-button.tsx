import type { ReactElement } from 'react'
import { GiftIcon } from '@phosphor-icons/react/dist/csr/Gift'
import type { UserInterlocutor } from '@duet/protocol'
import { Button, type ButtonProps, CallControl, IconButton } from '@duet/ui'
import { useOwnUser } from '../app-services.tsx'
import { dialogs } from '../dialogs.ts'
import { t } from '../i18n.ts'
import { useMembership } from '../people/use-membership.ts'

interface GiftProps {
  readonly person: UserInterlocutor
  /** The call or the dialog in which the gift is given. */
  readonly session_id?: number
  readonly dialog_id?: number
}

/** Opens the gifts for a girl. Undefined for a viewer who cannot give this user a gift. A visitor logs in first. */
export function useGift({ person, ...place }: GiftProps): ((anchor?: Element) => void) | undefined {
  const membership = useMembership()
  const isGirl = useOwnUser()?.role === 'girl'
  if (isGirl || person.role !== 'girl') return undefined
  return (anchor) => {
    const input = { person, ...place, ...(anchor && { anchor }) }
    void membership().then((isMember) => isMember && dialogs.open('gift', input))
  }
}

export function GiftButton({
  person,
  session_id,
  dialog_id,
  ...look
}: GiftProps & Pick<ButtonProps, 'size' | 'variant' | 'className'>): ReactElement | null {
  const open = useGift({
    person,
    ...(session_id !== undefined && { session_id }),
    ...(dialog_id !== undefined && { dialog_id }),
  })
  if (!open) return null
  return (
    <Button
      {...look}
      icon={<GiftIcon size={22} weight="duotone" className="text-gold" />}
      aria-label={t('gift.for', { nick: person.nick })}
      onClick={() => open()}
    >
      {t('gift.short')}
    </Button>
  )
}

/** The same where a label has no room. */
export function GiftIconButton({ person, dialog_id }: GiftProps): ReactElement | null {
  const open = useGift({ person, ...(dialog_id !== undefined && { dialog_id }) })
  if (!open) return null
  return (
    <IconButton
      variant="quiet"
      size={44}
      label={t('gift.for', { nick: person.nick })}
      icon={<GiftIcon size={22} className="text-gold" />}
      onClick={() => open()}
    />
  )
}

/** The same among the controls of a call. */
export function GiftControl({
  person,
  session_id,
  className,
}: GiftProps & { className?: string }): ReactElement | null {
  const open = useGift({ person, ...(session_id !== undefined && { session_id }) })
  if (!open) return null
  return (
    <CallControl
      tone="gift"
      label={t('gift.for', { nick: person.nick })}
      icon={<GiftIcon size={24} weight="fill" />}
      onClick={({ currentTarget }) => open(currentTarget)}
      className={className}
    />
  )
}
