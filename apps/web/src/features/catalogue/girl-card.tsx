import { BellIcon } from '@phosphor-icons/react/dist/csr/Bell'
import { BellRingingIcon } from '@phosphor-icons/react/dist/csr/BellRinging'
import { ChatCircleTextIcon } from '@phosphor-icons/react/dist/csr/ChatCircleText'
import { CrownSimpleIcon } from '@phosphor-icons/react/dist/csr/CrownSimple'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { Link } from 'react-router'
import type { CatalogueGirl, Permission, UserInterlocutor } from '@duet/protocol'
import { cx, IconButton, useMobile } from '@duet/ui'
import { useOwnUser } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { findSrcSet } from '../../shared/media/src-set.ts'
import { CallButton, CallIconButton } from '../../shared/people/call-button.tsx'
import { HeartButton } from '../../shared/people/card/heart-button.tsx'
import { usePerson } from '../../shared/people/people.ts'
import { StatusTag } from '../../shared/people/status-tag.tsx'
import { stillKnown, useCall } from '../../shared/people/use-call.ts'
import { useWanted } from '../../shared/people/use-favourite.ts'
import { useWrite } from '../../shared/people/use-write.ts'
import { formatCountry, formatPersonName } from '../../shared/texts/person.ts'

/** The square picture covers a card that is higher than wide, so it is as wide as the card is high. */
const CARD_SIZES =
  '(min-width: 1440px) 324px, (min-width: 1280px) 24vw, (min-width: 1024px) 29vw, (min-width: 769px) 39vw, 62vw'

/**
 * A girl of a list. The card leads to her page. With a mouse, the actions are shown under the pointer or the focus; on a
 * phone the card has the most useful action, and her page has the others.
 */
export function GirlCard({ girl, reason }: { girl: CatalogueGirl; reason?: string }) {
  const current = usePerson(girl.id) ?? girl
  const person = { ...girl, ...current }
  // A blurred avatar has no widths. The widths of an older record belong to another picture.
  const srcSet = findSrcSet(current.avatar_variants)
  const isMobile = useMobile()
  const isGuest = useOwnUser()?.role !== 'girl'
  const known = stillKnown(girl, person)
  const name = formatPersonName(person)
  return (
    <li className="group relative flex aspect-[4/5] flex-col justify-end overflow-hidden rounded-media bg-surface-2 shadow-card transition-transform duration-quick focus-within:shadow-[inset_0_0_0_2px_var(--ember-hi)] md:hover:-translate-y-[calc(4px*var(--move))]">
      <Portrait avatar={person.avatar} srcSet={srcSet} />
      <span
        aria-hidden
        className="absolute inset-x-0 bottom-0 h-1/2 bg-[linear-gradient(transparent,rgb(15_11_10/.86))]"
      />
      <Link
        to={`/girl/${person.ref_code}`}
        aria-label={t('favourites.open', { name })}
        className="absolute inset-0 rounded-media focus-visible:shadow-[inset_0_0_0_3px_var(--ember-hi)]"
      />
      <span className="pointer-events-none absolute inset-x-2.5 top-2.5 flex items-start justify-between gap-1.5">
        <StatusTag status={person.status} glass />
        <Marks person={person} />
      </span>
      <span
        className={cx(
          'pointer-events-none relative flex flex-col px-3.5 pb-3.5 text-white md:px-4',
          isMobile && isGuest && 'pe-[68px]',
        )}
      >
        <bdi className="title truncate">{name}</bdi>
        <Facts person={person} />
        {reason ? (
          <span className="note line-clamp-2 text-[rgb(255_230_214/.95)]">{reason}</span>
        ) : null}
        {isGuest && !isMobile ? <HoverActions person={person} known={known} /> : null}
      </span>
      {isGuest && isMobile ? (
        <span className="absolute end-2.5 bottom-2.5">
          <MainAction person={person} known={known} />
        </span>
      ) : null}
    </li>
  )
}

function Portrait({ avatar, srcSet }: { avatar: string | null; srcSet: string | undefined }) {
  if (!avatar)
    return (
      <span className="absolute inset-0 flex items-center justify-center text-text-3">
        <UserIcon size={48} />
      </span>
    )
  return (
    <img
      src={avatar}
      srcSet={srcSet}
      sizes={srcSet && CARD_SIZES}
      alt=""
      loading="lazy"
      decoding="async"
      className="absolute inset-0 size-full object-cover"
    />
  )
}

function Marks({ person: { is_top, is_new } }: { person: UserInterlocutor }) {
  const look = 'note inline-flex min-h-7 items-center gap-1.5 rounded-full px-3 font-[600]!'
  if (is_top)
    return (
      <span className={cx(look, 'bg-gold text-on-gold')}>
        <CrownSimpleIcon size={14} weight="fill" />
        {t('catalogue.top')}
      </span>
    )
  return is_new ? (
    <span className={cx(look, 'bg-[#B1B2EE] text-[#17132B]')}>{t('catalogue.new')}</span>
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

interface ActionProps {
  readonly person: UserInterlocutor
  readonly known: Permission | undefined
}

/** The actions take their room when they are shown, so the name moves up as on a raised card. */
function HoverActions({ person, known }: ActionProps) {
  const writing = useWrite(person)
  return (
    <span className="pointer-events-auto grid grid-rows-[0fr] opacity-0 transition-[grid-template-rows,opacity] duration-quick group-focus-within:grid-rows-[1fr] group-focus-within:opacity-100 group-hover:grid-rows-[1fr] group-hover:opacity-100 [@media(hover:none)]:grid-rows-[1fr] [@media(hover:none)]:opacity-100">
      <span className="flex items-center gap-2 overflow-hidden">
        <span className="mt-2.5 flex min-w-0 flex-1">
          <MainAction person={person} known={known} wide />
        </span>
        <IconButton
          variant="glass"
          className="mt-2.5"
          label={t('person.write_to', { nick: person.nick })}
          busy={writing.busy}
          icon={<ChatCircleTextIcon size={20} weight="fill" className="text-white" />}
          onClick={writing.write}
        />
        <HeartButton person={person} className="mt-2.5" />
      </span>
    </span>
  )
}

/** Calls her. While she cannot be reached, it asks for a notice of her next visit. */
function MainAction({ person, known, wide }: ActionProps & { wide?: boolean }) {
  const { reason } = useCall(person, known)
  // A girl who left a moment ago is offline, and her phone may still ring.
  const isAway = person.status === 'offline' && (reason !== undefined || known?.allowed !== true)
  const isTaken = person.sub_status === 'private'
  if (isAway || isTaken) return <WantedButton person={person} />
  if (wide)
    return <CallButton person={person} known={known} variant="primary" className="min-w-0 flex-1" />
  return <CallIconButton person={person} known={known} variant="primary" size={44} />
}

function WantedButton({ person }: { person: UserInterlocutor }) {
  const { busy, isWanted, toggle } = useWanted(person)
  const label = t(isWanted ? 'catalogue.wanted_name' : 'catalogue.want_name', {
    nick: person.nick,
  })
  return (
    <IconButton
      variant="glass"
      size={44}
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
