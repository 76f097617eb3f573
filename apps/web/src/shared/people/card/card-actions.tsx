import { BellIcon } from '@phosphor-icons/react/dist/csr/Bell'
import { BellRingingIcon } from '@phosphor-icons/react/dist/csr/BellRinging'
import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import type { Permission, UserInterlocutor } from '@duet/protocol'
import { IconButton, useMobile } from '@duet/ui'
import { useOwnUser } from '../../app-services.tsx'
import { t } from '../../i18n.ts'
import { CallButton, CallIconButton } from '../call-button.tsx'
import { useCall } from '../use-call.ts'
import { useFavourite, useWanted } from '../use-favourite.ts'
import { WriteIconButton } from '../write-button.tsx'

interface ActionProps {
  readonly person: UserInterlocutor
  /** Whether the viewer may call this user now, as far as it is known. */
  readonly known: Permission | undefined
}

/** A phone narrower than this has no room for a third button. The menu of the card has it. */
const THIRD = 'max-[389px]:hidden'

/** The ways to a user in a row: call, write, favourite. */
export function CardActions({ person, known }: ActionProps) {
  const isMet = useOwnUser()?.role !== person.role
  const isGirl = person.role === 'girl'
  return (
    <span className="flex items-center gap-2 pt-2.5">
      {isMet ? (
        <>
          <span className="flex min-w-0 flex-1">
            <MainAction person={person} known={known} />
          </span>
          <WriteIconButton
            person={person}
            variant="glass"
            light
            className={isGirl ? THIRD : undefined}
          />
        </>
      ) : null}
      <HeartButton person={person} className={isMet && !isGirl ? THIRD : undefined} />
    </span>
  )
}

/** Calls the user. While a girl cannot be reached, it asks for a notice of her next visit. */
export function MainAction({ person, known }: ActionProps) {
  const isMobile = useMobile()
  const { reason } = useCall(person, known)
  // A girl who left a moment ago is offline, and her phone may still ring.
  const isAway = person.status === 'offline' && (reason !== undefined || known?.allowed !== true)
  const isTaken = person.sub_status === 'private'
  const isGirl = person.role === 'girl'
  if (isGirl && (isAway || isTaken)) return <WantedButton person={person} />
  const look = { person, known, invites: !isGirl, size: 44, variant: 'primary' } as const
  return isMobile ? (
    <CallIconButton {...look} />
  ) : (
    <CallButton {...look} className="min-w-0 flex-1" />
  )
}

function WantedButton({ person }: { person: UserInterlocutor }) {
  const { busy, isWanted, toggle } = useWanted(person)
  const label = t(isWanted ? 'person.wanted_name' : 'person.want_name', { nick: person.nick })
  return (
    <IconButton
      variant="glass"
      label={label}
      title={label}
      aria-pressed={isWanted}
      busy={busy}
      icon={
        isWanted ? (
          <BellRingingIcon size={20} weight="fill" className="text-[#FBB78B]" />
        ) : (
          <BellIcon size={20} weight="fill" className="text-white" />
        )
      }
      onClick={toggle}
    />
  )
}

/** Adds a user to the favourites, or asks and then removes the user. */
function HeartButton({
  person,
  className,
}: {
  person: UserInterlocutor
  className: string | undefined
}) {
  const { nick, is_favorite } = person
  const { busy, toggle } = useFavourite(person)
  return (
    <IconButton
      variant="glass"
      label={t(is_favorite ? 'favourites.remove_name' : 'favourites.add_name', { name: nick })}
      aria-pressed={is_favorite}
      busy={busy}
      className={className}
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
