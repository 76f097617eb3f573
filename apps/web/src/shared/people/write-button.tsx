import { ChatCircleTextIcon } from '@phosphor-icons/react/dist/csr/ChatCircleText'
import type { UserInterlocutor } from '@duet/protocol'
import { Button, type ButtonProps, IconButton, type IconButtonProps } from '@duet/ui'
import { t } from '../i18n.ts'
import { useWrite } from './use-write.ts'

type WriteButtonProps = Pick<ButtonProps, 'size' | 'variant' | 'wide' | 'className'> & {
  person: Pick<UserInterlocutor, 'id' | 'nick'>
  /** Closes what covers the page, before the dialog opens. */
  onLeave?: () => Promise<void>
}

/** Opens the dialog with a user. Its texts are in the catalogue `favourites`. */
export function WriteButton({ person, onLeave, ...look }: WriteButtonProps) {
  const { busy, write } = useWrite(person, onLeave)
  return (
    <Button
      {...look}
      busy={busy}
      icon={<ChatCircleTextIcon size={22} />}
      aria-label={t('person.write_to', { nick: person.nick })}
      onClick={write}
    >
      {t('person.write_short')}
    </Button>
  )
}

/** The same where a label has no room. */
export function WriteIconButton({
  person,
  light,
  ...look
}: Pick<WriteButtonProps, 'person'> &
  Pick<IconButtonProps, 'variant' | 'className'> & {
    /** The button lies on a picture. */
    light?: boolean
  }) {
  const { busy, write } = useWrite(person)
  return (
    <IconButton
      {...look}
      busy={busy}
      label={t('person.write_to', { nick: person.nick })}
      icon={
        light ? (
          <ChatCircleTextIcon size={20} weight="fill" className="text-white" />
        ) : (
          <ChatCircleTextIcon size={20} />
        )
      }
      onClick={write}
    />
  )
}
