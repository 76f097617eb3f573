import { useState } from 'react'
import type { Media } from '@duet/protocol'
import { t } from '../../shared/i18n.ts'
import { PremiumButton } from '../../shared/controls/premium-button.tsx'
import { GalleryViewer } from '../../shared/media/gallery-viewer.tsx'
import { ReportPicture } from '../../shared/media/report-picture.tsx'
import { GalleryItem, LikeButton } from './gallery-item.tsx'
import { useLike, type ShownGirl } from './use-girl.ts'

interface GirlGalleriesProps {
  readonly girl: ShownGirl
  readonly refCode: string
  readonly isOwn: boolean
}

/**
 * The girl's photos and videos, as other users see them. The girl herself does not see waiting or removed items here.
 */
export function GirlGalleries({ girl, refCode, isOwn }: GirlGalleriesProps) {
  const shown = (list: readonly Media[]) =>
    list.filter(({ status, adult, url }) => status === 'ready' && !adult && url !== null)
  const photos = shown(girl.photos)
  const videos = shown(girl.videos)
  if (photos.length === 0 && videos.length === 0)
    return isOwn ? <p className="note text-text-3">{t('girl.own_no_media')}</p> : null
  return (
    <>
      <GallerySection kind="photos" list={photos} girl={girl} refCode={refCode} isOwn={isOwn} />
      <GallerySection kind="videos" list={videos} girl={girl} refCode={refCode} isOwn={isOwn} />
    </>
  )
}

interface GallerySectionProps {
  readonly kind: 'photos' | 'videos'
  readonly list: readonly Media[]
  readonly girl: ShownGirl
  readonly refCode: string
  readonly isOwn: boolean
}

function GallerySection({ kind, list, girl, refCode, isOwn }: GallerySectionProps) {
  const [shown, show] = useState<number>()
  const like = useLike(refCode)
  if (list.length === 0) return null
  return (
    <section aria-labelledby={`girl-${kind}`}>
      <h2 id={`girl-${kind}`} className="title mb-3">
        {t(`girl.${kind}`)}
      </h2>
      <ul className="grid grid-cols-2 gap-2.5 lg:grid-cols-3 lg:gap-3.5">
        {list.map((media, place) => (
          <GalleryItem
            key={media.id}
            media={media}
            place={place}
            onView={() => show(place)}
            onLike={isOwn ? undefined : () => like(media)}
          />
        ))}
      </ul>
      <GalleryViewer
        unlock={<PremiumButton />}
        list={list}
        shown={shown}
        onShow={show}
        actions={(media) =>
          isOwn || media.locked ? null : (
            <div className="flex items-center gap-2">
              <LikeButton media={media} onLike={() => like(media)} onPicture />
              <ReportPicture person={girl} media_id={media.id} onPress={() => show(undefined)} />
            </div>
          )
        }
      />
    </section>
  )
}
