import { CrownSimpleIcon } from '@phosphor-icons/react/dist/csr/CrownSimple'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { Link } from 'react-router'
import type { Permission, UserInterlocutor } from '@duet/protocol'
import { cx, PressMenu, useMobile } from '@duet/ui'
import { useOwnUser } from '../../app-services.tsx'
import { t } from '../../i18n.ts'
import { findSrcSet } from '../../media/src-set.ts'
import { formatCountry, formatPersonName } from '../../texts/person.ts'
import { usePerson } from '../people.ts'
import { StatusTag } from '../status-tag.tsx'
import { stillKnown } from '../use-call.ts'
import { usePersonMenu } from '../use-person-menu.tsx'
import { CardActions, MainAction } from './card-actions.tsx'

/** A card is higher than wide: the square picture that covers the card is as wide as the card is high. */
const CARD_SIZES =
  '(min-width: 1440px) 324px, (min-width: 1280px) 24vw, (min-width: 1024px) 31vw, (min-width: 769px) 42vw, 63vw'

export interface PersonCardProps {
  readonly person: UserInterlocutor & { readonly can_call?: Permission | undefined }
  /** A line below country and language. */
  readonly note?: string | undefined
  /** A phone shows all actions, too. By default it shows the first, and a long press the others. */
  readonly hasAllActions?: boolean
}

/**
 * A user of a list: the portrait with the status, the name and the ways to the user. With a mouse, the actions are shown
 * under the pointer or the focus. The card of a girl leads to her page.
 */
export function PersonCard({ person: listed, note, hasAllActions = false }: PersonCardProps) {
  const current = usePerson(listed.id) ?? listed
  // A blurred avatar has no widths. The widths of an older record belong to another picture.
  const person = { ...listed, ...current, avatar_variants: current.avatar_variants }
  const isMobile = useMobile()
  const isMet = useOwnUser()?.role !== person.role
  const { write, favourite } = usePersonMenu(person)
  const isShort = isMobile && !hasAllActions
  const actions = { person, known: stillKnown(listed, person) }
  return (
    <PressMenu
      disabled={!isMobile}
      entries={isMet ? [write, favourite] : [favourite]}
      area={
        <li className="group relative flex aspect-[4/5] flex-col justify-end overflow-hidden rounded-media bg-surface-2 shadow-card transition-transform duration-quick select-none outline-ember-hi has-focus-visible:outline-2 md:hover:outline-2 md:hover:-translate-y-[calc(4px*var(--move))]">
          <Portrait person={person} />
          <span className="pointer-events-none absolute inset-x-2.5 top-2.5 flex flex-wrap items-start justify-between gap-1.5">
            <StatusTag status={person.status} glass />
            <Mark person={person} />
          </span>
          <span
            className={cx(
              'pointer-events-none relative flex flex-col px-3 pb-3 text-white md:px-4 md:pb-3.5',
              isShort && isMet && 'pe-[62px]',
            )}
          >
            <span className="title truncate">
              <bdi>{formatPersonName(person)}</bdi>
            </span>
            <Facts person={person} />
            {note ? (
              <span className="note line-clamp-2 text-[rgb(255_230_214/.95)]">{note}</span>
            ) : null}
            {isShort ? null : (
              <span className={cx('pointer-events-auto', !isMobile && SHOWN_WITH_POINTER)}>
                <span className="min-h-0 overflow-clip [overflow-clip-margin:6px]">
                  <CardActions {...actions} />
                </span>
              </span>
            )}
          </span>
          {isShort && isMet ? (
            <span className="absolute end-2.5 bottom-2.5">
              <MainAction {...actions} />
            </span>
          ) : null}
        </li>
      }
    />
  )
}

/** The actions take their room when they are shown, so the name moves up as on a raised card. */
const SHOWN_WITH_POINTER =
  'grid grid-rows-[0fr] opacity-0 transition-[grid-template-rows,opacity] duration-quick group-focus-within:grid-rows-[1fr] group-focus-within:opacity-100 group-hover:grid-rows-[1fr] group-hover:opacity-100 [@media(hover:none)]:grid-rows-[1fr] [@media(hover:none)]:opacity-100'

/** The picture, and the link that covers the card. */
function Portrait({ person }: { person: UserInterlocutor }) {
  const { avatar, avatar_variants, role, ref_code } = person
  const srcSet = findSrcSet(avatar_variants)
  return (
    <>
      {avatar ? (
        <img
          src={avatar}
          srcSet={srcSet}
          sizes={srcSet && CARD_SIZES}
          alt=""
          loading="lazy"
          decoding="async"
          draggable={false}
          className="absolute inset-0 size-full object-cover"
        />
      ) : (
        <span className="absolute inset-x-0 top-0 bottom-1/3 flex items-center justify-center text-text-3">
          <UserIcon size={48} />
        </span>
      )}
      <span
        aria-hidden
        className="absolute inset-x-0 bottom-0 h-1/2 bg-[linear-gradient(transparent,rgb(15_11_10/.86))]"
      />
      {role === 'girl' && ref_code ? (
        <Link
          to={`/girl/${ref_code}`}
          aria-label={t('favourites.open', { name: formatPersonName(person) })}
          className="absolute inset-0 rounded-media"
        />
      ) : null}
    </>
  )
}

/** Top or New for a girl, Premium for a guy. */
function Mark({ person: { role, is_top, is_new, is_premium } }: { person: UserInterlocutor }) {
  const isGirl = role === 'girl'
  const look = 'note inline-flex min-h-7 items-center gap-1.5 rounded-full px-3 font-[600]!'
  if (isGirl ? is_top : is_premium)
    return (
      <span className={cx(look, 'bg-gold text-on-gold')}>
        <CrownSimpleIcon size={14} weight="fill" />
        {t(isGirl ? 'person.top' : 'word.premium')}
      </span>
    )
  return isGirl && is_new ? (
    <span className={cx(look, 'bg-[#B1B2EE] text-[#17132B]')}>{t('person.new')}</span>
  ) : null
}

function Facts({ person: { country, locale } }: { person: UserInterlocutor }) {
  return (
    <span className="note truncate text-[rgb(255_255_255/.82)]">
      {country ? `${formatCountry(country)} · ` : ''}
      {locale.toUpperCase()}
    </span>
  )
}
