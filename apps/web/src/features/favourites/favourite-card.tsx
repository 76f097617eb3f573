import { ChatCircleTextIcon } from '@phosphor-icons/react/dist/csr/ChatCircleText'
import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { Link } from 'react-router'
import type { Favourite } from '@duet/protocol'
import { IconButton } from '@duet/ui'
import { useOwnUser } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { findSrcSet } from '../../shared/media/src-set.ts'
import { CallIconButton } from '../../shared/people/call-button.tsx'
import { usePerson } from '../../shared/people/people.ts'
import { StatusTag } from '../../shared/people/status-tag.tsx'
import { useFavourite } from '../../shared/people/use-favourite.ts'
import { useWrite } from '../../shared/people/use-write.ts'
import { formatCountry, formatLanguage, formatPersonName } from '../../shared/texts/person.ts'

/** A card is higher than wide: the square picture that covers the card is as wide as the card is high. */
const CARD_SIZES =
  '(min-width: 1440px) 324px, (min-width: 1024px) 31vw, (min-width: 769px) 42vw, 63vw'

/** A favourite with the heart that removes the favourite. Only a girl's card leads to a page. */
export function FavouriteCard({ favourite }: { favourite: Favourite }) {
  const known = usePerson(favourite.id) ?? favourite
  const person = { ...favourite, ...known }
  // A blurred avatar has no widths. The widths of the older record belong to another picture.
  const srcSet = findSrcSet(known.avatar_variants)
  const { nick, age, status, avatar, country, locale, role, ref_code, is_favorite } = person
  const { busy, toggle } = useFavourite(person)
  const writing = useWrite(person)
  const ownRole = useOwnUser()?.role
  const name = formatPersonName({ nick, age })
  return (
    <li className="relative aspect-[4/5] overflow-hidden rounded-media bg-surface-2 shadow-card">
      {avatar ? (
        <img
          src={avatar}
          srcSet={srcSet}
          sizes={srcSet && CARD_SIZES}
          alt=""
          loading="lazy"
          decoding="async"
          className="absolute inset-0 size-full object-cover"
        />
      ) : (
        <span className="absolute inset-0 flex items-center justify-center text-text-3">
          <UserIcon size={48} />
        </span>
      )}
      <span className="absolute inset-x-0 bottom-0 flex flex-col bg-[linear-gradient(transparent,rgb(15_11_10/.78))] ps-4 pe-14 pt-14 pb-3.5 text-white">
        <bdi className="title truncate">{name}</bdi>
        <span className="note truncate text-[rgb(255_255_255/.8)]">
          {country ? `${formatCountry(country)} · ` : ''}
          {formatLanguage(locale)}
        </span>
      </span>
      {role === 'girl' && ref_code ? (
        <Link
          to={`/girl/${ref_code}`}
          aria-label={t('favourites.open', { name })}
          className="absolute inset-0 rounded-media focus-visible:shadow-[inset_0_0_0_3px_var(--ember-hi)]"
        />
      ) : null}
      <span className="pointer-events-none absolute start-2.5 top-2.5">
        <StatusTag status={status} glass />
      </span>
      <IconButton
        variant="glass"
        className="absolute! end-2 top-2"
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
      {role === ownRole ? null : (
        <CallIconButton
          person={person}
          known={favourite.can_call}
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
    </li>
  )
}
