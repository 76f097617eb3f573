import { useState } from 'react'
import type texts from '@duet/locales/en/adult-gallery.json'
import { EyeSlashIcon } from '@phosphor-icons/react/dist/csr/EyeSlash'
import { Link } from 'react-router'
import type { AdultMedia } from '@duet/protocol'
import { EmptyState, Skeleton } from '@duet/ui'
import { PagedList } from '../../../shared/controls/paged-list.tsx'
import { usePages } from '../../../shared/controls/use-pages.ts'
import { PageFrame } from '../../../shared/frame.tsx'
import { t } from '../../../shared/i18n.ts'
import { findSrcSet } from '../../../shared/media/src-set.ts'
import { useOwnUser } from '../../../shared/app-services.tsx'
import { AdultGate, findGate, SwitchOff } from './adult-gate.tsx'

declare module '../../../shared/i18n.ts' {
  interface TextCatalogs {
    'adult-gallery': typeof texts
  }
}

const GRID =
  'grid grid-cols-2 gap-2.5 md:grid-cols-3 md:gap-[18px] lg:grid-cols-4 min-[1280px]:grid-cols-5'
/** Wider than the tile, because a wide photo is cut to the tile. */
const TILE_SIZES = '(min-width: 769px) 324px, 63vw'
/** The addresses of pictures are valid for five minutes. */
const REFRESH_MS = 4 * 60_000

/** `/nsfw/gallery`, if the installation has an adult gallery: behind its gates, every item covered. */
export function AdultGalleryPage() {
  const user = useOwnUser()
  const gate = user && findGate(user)
  return (
    <PageFrame title={t('adult.title')}>
      {gate ? (
        <AdultGate gate={gate} />
      ) : (
        <div className="flex flex-col gap-6">
          <AdultGrid />
          <SwitchOff />
        </div>
      )}
    </PageFrame>
  )
}

function AdultGrid() {
  const [uncovered, uncover] = useState<string>()
  return (
    <PagedList
      pages={usePages('nsfw/gallery', { refresh_ms: REFRESH_MS })}
      failed={t('adult.failed')}
      skeleton={<LoadingItems />}
      empty={
        <EmptyState icon={<EyeSlashIcon size={40} weight="duotone" />} title={t('adult.empty')} />
      }
    >
      {(items) => (
        <ul className={GRID}>
          {items.map((media, place) => (
            <AdultItem
              key={media.id}
              media={media}
              place={place}
              isUncovered={media.id === uncovered}
              onUncover={() => uncover(media.id === uncovered ? undefined : media.id)}
            />
          ))}
        </ul>
      )}
    </PagedList>
  )
}

interface AdultItemProps {
  readonly media: AdultMedia
  readonly place: number
  readonly isUncovered: boolean
  readonly onUncover: () => void
}

/**
 * A covered item does not load its picture. A press uncovers the item and covers the former item. A video never starts
 * without a press.
 */
function AdultItem({ media, place, isUncovered, onUncover }: AdultItemProps) {
  const { kind, url, poster, variants, title, user_interlocutor: girl } = media
  const srcSet = findSrcSet(variants)
  const name = title ?? t('item.numbered', { number: place + 1 })
  return (
    <li className="flex min-w-0 flex-col gap-1.5">
      <div className="relative aspect-[4/5] overflow-hidden rounded-media bg-surface-2 shadow-card">
        {isUncovered && url && kind === 'video' ? (
          <video
            src={url}
            poster={poster}
            controls
            playsInline
            preload="none"
            className="absolute inset-0 size-full object-contain"
          >
            <track kind="captions" />
          </video>
        ) : null}
        {isUncovered && url && kind === 'photo' ? (
          <img
            src={url}
            srcSet={srcSet}
            sizes={srcSet && TILE_SIZES}
            alt={name}
            className="absolute inset-0 size-full object-cover"
          />
        ) : null}
        {isUncovered && kind === 'video' ? null : (
          <button
            type="button"
            aria-pressed={isUncovered}
            aria-label={t('adult.uncover', { name })}
            className="note absolute inset-0 flex size-full flex-col items-center justify-center gap-2 text-text-2"
            onClick={onUncover}
          >
            {isUncovered ? null : (
              <>
                <EyeSlashIcon size={28} weight="duotone" />
                {t('adult.covered')}
              </>
            )}
          </button>
        )}
      </div>
      {girl.ref_code ? (
        <Link to={`/girl/${girl.ref_code}`} className="note truncate px-1 text-text-2">
          {girl.nick}
        </Link>
      ) : null}
    </li>
  )
}

function LoadingItems() {
  return (
    <div className={GRID}>
      {['first', 'second', 'third', 'fourth', 'fifth'].map((key) => (
        <Skeleton key={key} className="aspect-[4/5] rounded-media!" />
      ))}
    </div>
  )
}
