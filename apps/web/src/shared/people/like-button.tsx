import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import type { UserInterlocutor } from '@duet/protocol'
import { Button, type ButtonProps } from '@duet/ui'
import { t } from '../i18n.ts'
import { useLike } from './use-like.ts'

type LikeButtonProps = Pick<ButtonProps, 'size' | 'className'> & {
  person: Pick<UserInterlocutor, 'id' | 'nick'>
}

/** Likes a user, or takes the like back. */
export function LikeButton({ person, ...look }: LikeButtonProps) {
  const { busy, isLiked, toggle } = useLike(person)
  return (
    <Button
      {...look}
      busy={busy}
      icon={
        <HeartIcon
          size={20}
          weight={isLiked ? 'fill' : 'regular'}
          className={isLiked ? 'text-ember-hi' : undefined}
        />
      }
      aria-pressed={isLiked}
      aria-label={t('person.like_name', { nick: person.nick })}
      onClick={toggle}
    >
      {t('person.like')}
    </Button>
  )
}
