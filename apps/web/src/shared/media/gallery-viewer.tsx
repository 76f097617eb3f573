import { CrownIcon } from '@phosphor-icons/react/dist/csr/Crown'
import { useEffect, useRef, type ReactNode } from 'react'
import { Viewer } from '@duet/ui'
import type { Media } from '@duet/protocol'
import { useBackEntry } from '../navigation/back-entries.ts'
import { t } from '../i18n.ts'
import { EnlargeablePhoto } from './enlargeable-photo.tsx'

export interface GalleryViewerProps {
  readonly list: readonly Media[]
  /** The place of the shown item. Undefined while the viewer is closed. */
  readonly shown: number | undefined
  readonly onShow: (place: number | undefined) => void
  /** Under the item: a like, a report. */
  readonly actions?: (media: Media) => ReactNode
  /** Shown over a locked item: a button that leads to Premium. */
  readonly unlock?: ReactNode
}

/**
 * Photos and videos of a gallery over the whole screen. A locked item is blurred and has a crown. The texts are in the
 * catalogue `media`, which the surrounding screen loads.
 */
export function GalleryViewer({ list, shown, onShow, actions, unlock }: GalleryViewerProps) {
  const media = shown === undefined ? undefined : list[shown]
  const at = shown ?? 0
  const seen = useRef('')
  useEffect(() => {
    if (media) seen.current = media.id
  }, [media])
  useBackEntry(media !== undefined, () => onShow(undefined))
  // An item without an address (removed, being converted) is passed over.
  const before = list.findLastIndex((item, place) => place < at && item.url !== null)
  const after = list.findIndex((item, place) => place > at && item.url !== null)
  return (
    <Viewer
      open={media !== undefined}
      onClose={() => onShow(undefined)}
      label={media?.title ?? t('media.viewer.label', { number: at + 1, count: list.length })}
      labels={{
        close: t('action.close'),
        previous: t('media.viewer.previous'),
        next: t('action.next'),
      }}
      onPrevious={before < 0 ? undefined : () => onShow(before)}
      onNext={after < 0 ? undefined : () => onShow(after)}
      // The button of the last seen item, which need not be the one that was pressed.
      finalFocus={() => document.querySelector<HTMLElement>(`[data-media="${seen.current}"]`)}
      footer={
        media ? (
          <div className="flex flex-col items-center gap-2">
            {media.title ? <bdi className="body">{media.title}</bdi> : null}
            {actions?.(media)}
          </div>
        ) : null
      }
    >
      {media ? <ShownItem key={media.id} media={media} unlock={unlock} /> : null}
    </Viewer>
  )
}

function ShownItem({ media, unlock }: { media: Media; unlock: ReactNode }) {
  const { kind, url, poster, width, height, title, locked } = media
  if (locked || url === null)
    return (
      <div className="relative flex size-full items-center justify-center">
        {url ? <img src={url} alt="" className="size-full rounded-field object-cover" /> : null}
        <div className="absolute flex flex-col items-center gap-3 text-center text-white">
          <CrownIcon size={48} weight="fill" className="text-gold" />
          <p className="title">{t('media.viewer.locked')}</p>
          {unlock}
        </div>
      </div>
    )
  if (kind === 'video')
    return (
      <video
        src={url}
        poster={poster}
        controls
        playsInline
        autoPlay
        className="max-h-full max-w-full rounded-field object-contain"
      >
        <track kind="captions" />
      </video>
    )
  return <EnlargeablePhoto src={url} alt={title ?? ''} width={width} height={height} />
}
