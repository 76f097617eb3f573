import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import type { UserInterlocutor } from '@duet/protocol'
import { IconButton } from '@duet/ui'
import { t } from '../../i18n.ts'
import { useFavourite } from '../use-favourite.ts'

/** The heart on a picture: adds a user to the favourites, or asks and then removes the user. */
export function HeartButton({
  person,
  className,
}: {
  person: UserInterlocutor
  className?: string
}) {
  const { nick, is_favorite } = person
  const { busy, toggle } = useFavourite(person)
  return (
    <IconButton
      variant="glass"
      className={className}
      label={t(is_favorite ? 'favourites.remove_name' : 'favourites.add_name', { name: nick })}
      aria-pressed={is_favorite}
      busy={busy}
      icon={
        <HeartIcon
          size={20}
          weight={is_favorite ? 'fill' : 'regular'}
          className={is_favorite ? 'text-[#FBB78B]' : 'text-white'}
        />
      }
      onClick={toggle}
    />
  )
}
