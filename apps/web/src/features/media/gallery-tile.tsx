import { ArrowLeftIcon } from '@phosphor-icons/react/dist/csr/ArrowLeft'
import { ArrowRightIcon } from '@phosphor-icons/react/dist/csr/ArrowRight'
import { CrownIcon } from '@phosphor-icons/react/dist/csr/Crown'
import { HeartIcon } from '@phosphor-icons/react/dist/csr/Heart'
import { PencilSimpleIcon } from '@phosphor-icons/react/dist/csr/PencilSimple'
import { PlayIcon } from '@phosphor-icons/react/dist/csr/Play'
import { cx, IconButton, Spinner, Tag } from '@duet/ui'
import type { Media } from '@duet/protocol'
import { dialogs } from '../../shared/dialogs.ts'
import { hasText, t, type TextId } from '../../shared/i18n.ts'
import { findSrcSet } from '../../shared/media/src-set.ts'
import type { GalleryOrder } from './use-order.ts'

/** Wider than the tile: a wide photo is cut to its square. */
const TILE_SIZES = '(min-width: 769px) 360px, 68vw'

export interface GalleryTileProps {
  readonly media: Media
  readonly index: number
  readonly count: number
  readonly order: GalleryOrder
  readonly onView: () => void
}

/** An item of the own gallery: its picture, state and place, and the button that edits the item. */
export function GalleryTile({ media, index, count, order, onView }: GalleryTileProps) {
  const { id, kind, title, premium_only, like } = media
  const name = title ?? t('item.numbered', { number: index + 1 })
  return (
    <li
      draggable
      className={cx('flex min-w-0 flex-col gap-1.5', order.dragged === id && 'opacity-50')}
      onDragStart={() => order.drag(id)}
      onDragEnd={() => order.drag(undefined)}
      onDragOver={(event) => order.dragged && event.preventDefault()}
      onDrop={(event) => {
        if (!order.dragged) return
        event.preventDefault()
        event.stopPropagation()
        if (order.dragged !== id) order.move(order.dragged, index)
        order.drag(undefined)
      }}
    >
      <div className="relative aspect-square overflow-hidden rounded-field bg-surface-2">
        <TilePicture media={media} name={name} onView={onView} />
        <span className="pointer-events-none absolute inset-x-2 top-2 flex flex-wrap gap-1">
          {premium_only ? (
            <Tag tone="gold" icon={<CrownIcon size={13} weight="fill" />}>
              {t('word.premium')}
            </Tag>
          ) : null}
          {media.adult ? <Tag tone="ember">{t('media.adult.tag')}</Tag> : null}
          <StateTag media={media} />
        </span>
        {kind === 'video' && media.url ? (
          <span className="pointer-events-none absolute inset-0 flex items-center justify-center">
            <PlayIcon size={36} weight="fill" className="text-white drop-shadow" />
          </span>
        ) : null}
      </div>
      <div className="flex items-center gap-0.5">
        <span className="meta flex min-w-0 flex-1 items-center gap-1 text-text-2">
          <HeartIcon size={15} weight="fill" className="text-ember-hi" />
          <span className="sr-only">{t('media.likes')}</span>
          <span className="tabular-nums">{like}</span>
        </span>
        <IconButton
          variant="quiet"
          size={36}
          disabled={index === 0}
          label={t('media.move_earlier', { name })}
          icon={<ArrowLeftIcon size={16} className="mirror" />}
          onClick={() => order.move(id, index - 1)}
        />
        <IconButton
          variant="quiet"
          size={36}
          disabled={index === count - 1}
          label={t('media.move_later', { name })}
          icon={<ArrowRightIcon size={16} className="mirror" />}
          onClick={() => order.move(id, index + 1)}
        />
        <IconButton
          variant="quiet"
          size={36}
          label={t('media.edit', { name })}
          icon={<PencilSimpleIcon size={16} />}
          onClick={() => dialogs.open('media_item', { media })}
        />
      </div>
      <ReasonLine media={media} />
    </li>
  )
}

function TilePicture({ media, name, onView }: { media: Media; name: string; onView: () => void }) {
  const src = media.kind === 'video' ? media.poster : (media.url ?? undefined)
  const srcSet = findSrcSet(media.variants)
  if (!src)
    return (
      <span className="absolute inset-0 flex items-center justify-center text-text-3">
        {media.status === 'processing' ? <Spinner size={28} /> : null}
      </span>
    )
  return (
    <button
      type="button"
      className="absolute inset-0 size-full"
      data-media={media.id}
      aria-label={t('media.view', { name })}
      onClick={onView}
    >
      <img
        src={src}
        srcSet={srcSet}
        sizes={srcSet && TILE_SIZES}
        alt=""
        loading="lazy"
        decoding="async"
        draggable={false}
        className="size-full object-cover"
      />
    </button>
  )
}

function StateTag({ media: { status } }: { media: Media }) {
  if (status === 'pending') return <Tag tone="warn">{t('media.status_pending')}</Tag>
  if (status === 'processing') return <Tag tone="moon">{t('media.status_processing')}</Tag>
  if (status === 'removed') return <Tag tone="danger">{t('media.status_removed')}</Tag>
  return status === 'failed' ? <Tag tone="danger">{t('media.status_failed')}</Tag> : null
}

/** Why an item is not shown. */
function ReasonLine({ media: { status, reason } }: { media: Media }) {
  if (status !== 'removed' && status !== 'failed') return null
  const id = `media.reason.${reason}`
  return (
    <p className="meta text-danger">{t(hasText(id) ? (id as TextId) : 'media.reason.other')}</p>
  )
}
