import { ChatCircleTextIcon } from '@phosphor-icons/react/dist/csr/ChatCircleText'
import { Link } from 'react-router'
import type { Favourite } from '@duet/protocol'
import { IconButton } from '@duet/ui'
import { useOwnUser } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { CallIconButton } from '../../shared/people/call-button.tsx'
import { HeartButton } from '../../shared/people/card/heart-button.tsx'
import { usePerson } from '../../shared/people/people.ts'
import { PortraitCard } from '../../shared/people/card/portrait-card.tsx'
import { stillKnown } from '../../shared/people/use-call.ts'
import { useWrite } from '../../shared/people/use-write.ts'
import { formatPersonName } from '../../shared/texts/person.ts'

/** A favourite with the heart that removes the favourite. Only a girl's card leads to a page. */
export function FavouriteCard({ favourite }: { favourite: Favourite }) {
  const known = usePerson(favourite.id) ?? favourite
  // A blurred avatar has no widths. The widths of the older record belong to another picture.
  const person = { ...favourite, ...known, avatar_variants: known.avatar_variants }
  const { nick, role, ref_code } = person
  const writing = useWrite(person)
  const ownRole = useOwnUser()?.role
  return (
    <PortraitCard person={person}>
      {role === 'girl' && ref_code ? (
        <Link
          to={`/girl/${ref_code}`}
          aria-label={t('favourites.open', { name: formatPersonName(person) })}
          className="absolute inset-0 rounded-media focus-visible:shadow-[inset_0_0_0_3px_var(--ember-hi)]"
        />
      ) : null}
      <HeartButton person={person} className="absolute! end-2 top-2" />
      {role === ownRole ? null : (
        <CallIconButton
          person={person}
          known={stillKnown(favourite, person)}
          variant="glass"
          light
          className="absolute! end-2 bottom-[62px]"
        />
      )}
      {role === ownRole ? null : (
        <IconButton
          variant="glass"
          className="absolute! end-2 bottom-2.5"
          label={t('person.write_to', { nick })}
          busy={writing.busy}
          icon={<ChatCircleTextIcon size={20} className="text-white" />}
          onClick={writing.write}
        />
      )}
    </PortraitCard>
  )
}
