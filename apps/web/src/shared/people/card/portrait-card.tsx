import { CrownSimpleIcon } from '@phosphor-icons/react/dist/csr/CrownSimple'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import type { ReactNode } from 'react'
import type { UserInterlocutor } from '@duet/protocol'
import { cx, Skeleton, Tag } from '@duet/ui'
import { t } from '../../i18n.ts'
import { findSrcSet } from '../../media/src-set.ts'
import { formatCountry, formatLanguage, formatPersonName } from '../../texts/person.ts'
import { StatusTag } from '../status-tag.tsx'

/** The columns of a page of cards. */
export const CARD_GRID =
  'grid grid-cols-2 gap-2.5 md:grid-cols-3 md:gap-[18px] lg:grid-cols-4 min-[1280px]:grid-cols-5'

/** A card is higher than wide: the square picture that covers the card is as wide as the card is high. */
const CARD_SIZES =
  '(min-width: 1440px) 324px, (min-width: 1024px) 31vw, (min-width: 769px) 42vw, 63vw'

interface PortraitCardProps {
  /** Its widths belong to its avatar. */
  readonly person: UserInterlocutor
  /** A line below country and language. */
  readonly note?: string | undefined
  /** A row of buttons below the name. */
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A card with the portrait, the status, the name, the country and the language of a user. Buttons lie on it. */
export function PortraitCard({ person, note, actions, children }: PortraitCardProps) {
  const { avatar, country, locale, status, role, is_premium } = person
  const srcSet = findSrcSet(person.avatar_variants)
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
        <span className="absolute inset-x-0 top-0 bottom-1/3 flex items-center justify-center text-text-3">
          <UserIcon size={48} />
        </span>
      )}
      <span
        className={cx(
          'absolute inset-x-0 bottom-0 flex flex-col bg-[linear-gradient(transparent,rgb(15_11_10/.78))] pt-14 text-white',
          actions ? 'px-3 pb-3' : 'ps-4 pe-14 pb-3.5',
        )}
      >
        <bdi className="title truncate">{formatPersonName(person)}</bdi>
        <span className="note truncate text-[rgb(255_255_255/.8)]">
          {country ? `${formatCountry(country)} · ` : ''}
          {formatLanguage(locale)}
        </span>
        {note ? <span className="note truncate text-[rgb(255_255_255/.8)]">{note}</span> : null}
        {actions ? <span className="flex items-center gap-2 pt-2.5">{actions}</span> : null}
      </span>
      <span className="pointer-events-none absolute start-2.5 top-2.5 flex flex-col gap-1.5">
        <StatusTag status={status} glass />
        {is_premium && role !== 'girl' ? (
          <Tag tone="gold" size={28} icon={<CrownSimpleIcon size={15} weight="fill" />}>
            {t('word.premium')}
          </Tag>
        ) : null}
      </span>
      {children}
    </li>
  )
}

/** Grey cards in the place of a list that is fetched. */
export function LoadingCards() {
  return (
    <div className={CARD_GRID}>
      {['first', 'second', 'third', 'fourth', 'fifth'].map((key) => (
        <Skeleton key={key} className="aspect-[4/5] rounded-media!" />
      ))}
    </div>
  )
}
