import { CrownIcon } from '@phosphor-icons/react/dist/csr/Crown'
import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import type { Media } from '@duet/protocol'
import { Button } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { usePress } from '../../shared/controls/use-press.ts'
import { findSrcSet } from '../../shared/media/src-set.ts'

/** The width of a tile in the columns of the gallery. */
const TILE_SIZES = '(min-width: 1440px) 290px, (min-width: 769px) 20vw, 50vw'

interface GalleryItemProps {
  readonly media: Media
  readonly place: number
  readonly onView: () => void
  /** Undefined for her own items, which she cannot like. */
  readonly onLike?: (() => Promise<void>) | undefined
}

/** A photo or video. Viewers without Premium see a Premium item in its blurred form, under a crown. */
export function GalleryItem({ media, place, onView, onLike }: GalleryItemProps) {
  const { kind, url, poster, variants, title, locked, like } = media
  const name = title ?? t('item.numbered', { number: place + 1 })
  const src = kind === 'video' ? poster : (url ?? undefined)
  const srcSet = findSrcSet(variants)
  return (
    <li className="flex min-w-0 flex-col gap-1">
      <button
        type="button"
        data-media={media.id}
        aria-label={t(locked ? 'girl.view_locked' : 'media.view', { name })}
        className="relative aspect-[4/5] w-full overflow-hidden rounded-media bg-surface-2 shadow-card"
        onClick={onView}
      >
        {src ? (
          <img
            src={src}
            srcSet={srcSet}
            sizes={srcSet && TILE_SIZES}
            alt=""
            loading="lazy"
            decoding="async"
            className="absolute inset-0 size-full object-cover"
          />
        ) : null}
        {locked ? (
          <span className="absolute inset-0 flex flex-col items-center justify-center gap-1.5 bg-[rgb(15_11_10/.36)] text-white">
            <CrownIcon size={32} weight="fill" className="text-[#EDCA71]" />
            <span className="note font-[540]!">{t('word.premium')}</span>
          </span>
        ) : kind === 'video' ? (
          <span className="absolute inset-0 flex items-center justify-center">
            <PlayIcon size={36} weight="fill" className="text-white drop-shadow" />
          </span>
        ) : null}
      </button>
      {onLike && !locked ? (
        <LikeButton media={media} onLike={onLike} />
      ) : (
        <LikeCount count={like} />
      )}
    </li>
  )
}

function LikeCount({ count }: { count: number }) {
  return (
    <span className="meta flex min-h-9 items-center gap-1.5 px-1 text-text-2">
      <HeartIcon size={16} />
      <span className="sr-only">{t('media.likes')}</span>
      <span className="tabular-nums">{count}</span>
    </span>
  )
}

interface LikeButtonProps {
  readonly media: Media
  readonly onLike: () => Promise<void>
  /** In the viewer, on the dark ground around a picture. */
  readonly onPicture?: boolean
}

export function LikeButton({ media: { like, liked }, onLike, onPicture }: LikeButtonProps) {
  const { busy, press } = usePress(onLike)
  return (
    <Button
      variant={onPicture ? 'glass' : 'quiet'}
      size={36}
      className={onPicture ? 'text-white!' : '-ms-2 self-start px-3!'}
      aria-pressed={liked}
      aria-label={t('girl.like', { count: like })}
      busy={busy}
      icon={
        <HeartIcon
          size={18}
          weight={liked ? 'fill' : 'regular'}
          className={liked ? 'text-ember-hi' : undefined}
        />
      }
      onClick={() => void press()}
    >
      <span className="tabular-nums">{like}</span>
    </Button>
  )
}
