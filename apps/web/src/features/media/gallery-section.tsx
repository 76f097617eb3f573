import { useRef, useState, type DragEvent, useEffect } from 'react'
import { ImagesIcon } from '@phosphor-icons/react/dist/csr/Images'
import { FilmStripIcon } from '@phosphor-icons/react/dist/csr/FilmStrip'
import { PlusIcon } from '@phosphor-icons/react/dist/csr/Plus'
import { Button, EmptyState, Skeleton, useSkeleton } from '@duet/ui'
import type { Media } from '@duet/protocol'
import { dialogs } from '../../shared/dialogs.ts'
import { FileInput } from '../../shared/controls/file-input.tsx'
import { t } from '../../shared/i18n.ts'
import { GalleryViewer } from '../../shared/media/gallery-viewer.tsx'
import { useSystem } from '../../shared/queries.ts'
import { useMayShowAdult } from './adult-items.tsx'
import { GalleryTile } from './gallery-tile.tsx'
import { useGallery } from './gallery-query.ts'
import { getMegabytes } from './upload-errors.ts'
import { UploadTile } from './upload-tile.tsx'
import { useOrder, type GalleryOrder } from './use-order.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useAppServices } from '../../shared/app-services.tsx'
import { useStore } from '../../shared/observable-store.ts'
import {
  addFiles,
  arrivedFiles,
  endUpload,
  retryUpload,
  showsGallery,
  uploads,
  type PendingUpload,
} from './uploads.ts'

type Kind = Media['kind']
const ACCEPTED: Readonly<Record<Kind, string>> = {
  photo: 'image/jpeg,image/png,image/webp',
  video: 'video/mp4,video/quicktime,video/webm',
}
const GRID = 'grid grid-cols-2 gap-2.5 md:grid-cols-3'

export function PhotosSection() {
  return <GallerySection kind="photo" />
}

/** Without ffmpeg on the server the user can add no video. Existing videos are still shown. */
export function VideosSection() {
  const system = useSystem()
  const { data } = useGallery()
  const isOff = system?.features.videos.on === false
  if (isOff && data?.videos.length === 0)
    return <p className="panel note p-5 text-text-2">{t('media.videos_off')}</p>
  return <GallerySection kind="video" isClosed={isOff} />
}

function GallerySection({ kind, isClosed = false }: { kind: Kind; isClosed?: boolean }) {
  const gallery = useGallery({ polls: kind === 'video' })
  const uploads = useUploads(kind)
  const [shown, show] = useState<number>()
  const list = (kind === 'photo' ? gallery.data?.photos : gallery.data?.videos) ?? []
  const order = useOrder(list)
  const isSkeleton = useSkeleton(gallery.isPending)
  if (gallery.isPending) return isSkeleton ? <GallerySkeleton /> : <div className="min-h-48" />
  if (gallery.isError && !gallery.data)
    return (
      <div className="panel flex flex-col items-start gap-3 p-5">
        <p className="body text-text-2">{t('media.gallery.broken')}</p>
        <Button onClick={() => void gallery.refetch()}>{t('action.retry')}</Button>
      </div>
    )
  const add = isClosed ? null : (
    <AddButtons kind={kind} isFirst={list.length === 0} uploads={uploads} />
  )
  const isEmpty = list.length === 0 && uploads.uploads.length === 0
  return (
    <div
      className="panel flex flex-col gap-4 p-5"
      {...(isClosed ? {} : dropHandlers(uploads.addFiles))}
    >
      {isEmpty ? (
        <EmptyState
          icon={
            kind === 'photo' ? (
              <ImagesIcon size={40} weight="duotone" />
            ) : (
              <FilmStripIcon size={40} weight="duotone" />
            )
          }
          title={t(`media.${kind}s.empty`)}
          text={t(`media.${kind}s.empty_text`)}
          action={add}
        />
      ) : (
        <>
          <ul className={GRID}>
            {order.items.map((media, index) => (
              <GalleryTile
                key={media.id}
                media={media}
                index={index}
                count={order.items.length}
                order={order}
                onView={() => show(index)}
              />
            ))}
            {uploads.uploads.map((upload) => (
              <UploadTile
                key={upload.key}
                upload={upload}
                retry={uploads.retry}
                end={uploads.end}
              />
            ))}
          </ul>
          <div className="flex flex-wrap items-center gap-4">
            {add}
            <p className="note min-w-0 flex-1 text-text-3">
              {t(`media.${kind}s.limits`, { megabytes: getMegabytes(kind) })}
            </p>
          </div>
        </>
      )}
      <Announcements order={order} arrived={uploads.arrived} />
      <GalleryViewer list={order.items} shown={shown} onShow={show} />
    </div>
  )
}

/** The user may drop files of the desktop anywhere on a gallery. The tiles move the gallery's own items. */
function dropHandlers(onFiles: (files: readonly File[]) => void) {
  return {
    onDragOver: (event: DragEvent) => {
      if (event.dataTransfer.types.includes('Files')) event.preventDefault()
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      onFiles([...event.dataTransfer.files])
    },
  }
}

/** Announces to a screen reader the new place of an item and the arrival of a file. */
function Announcements({ order, arrived }: { order: GalleryOrder; arrived: number }) {
  const { items, moved } = order
  const number = moved ? items.findIndex(({ id }) => id === moved.id) + 1 : 0
  return (
    <div className="sr-only">
      <p role="status">{number > 0 ? t('media.moved', { number, count: items.length }) : ''}</p>
      <p role="status">{arrived > 0 ? t('media.upload.arrived', { count: arrived }) : ''}</p>
    </div>
  )
}

function AddButtons({
  kind,
  isFirst,
  uploads,
}: {
  kind: Kind
  isFirst: boolean
  uploads: ReturnType<typeof useUploads>
}) {
  const mayShowAdult = useMayShowAdult()
  return (
    <>
      <AddButton
        kind={kind}
        label={t(`media.${kind}s.add`)}
        variant={isFirst ? 'outline' : 'secondary'}
        onFiles={uploads.addFiles}
      />
      {mayShowAdult ? (
        <AddButton
          kind={kind}
          label={t(`media.adult.add_${kind}`)}
          variant="quiet"
          onFiles={uploads.addAdultFiles}
        />
      ) : null}
    </>
  )
}

interface AddButtonProps {
  readonly kind: Kind
  readonly label: string
  readonly variant: 'outline' | 'secondary' | 'quiet'
  readonly onFiles: (files: readonly File[]) => unknown
}

function AddButton({ kind, label, variant, onFiles }: AddButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <FileInput
        ref={input}
        multiple
        accept={ACCEPTED[kind]}
        aria-label={label}
        onFiles={onFiles}
      />
      <Button
        variant={variant}
        icon={<PlusIcon size={18} />}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  )
}

function GallerySkeleton() {
  return (
    <div className="panel p-5">
      <div className={GRID}>
        {['first', 'second', 'third'].map((key) => (
          <Skeleton key={key} className="aspect-square rounded-field!" />
        ))}
      </div>
    </div>
  )
}

/** The uploads to a gallery, and the functions that add uploads. */
function useUploads(kind: PendingUpload['kind']) {
  const { connection } = useAppServices()
  const sender = { connection, queries: useQueryClient() }
  const pending = useStore(uploads)
  const arrived = useStore(arrivedFiles)
  useEffect(() => showsGallery(kind), [kind])
  return {
    uploads: pending.filter((upload) => upload.kind === kind),
    arrived: arrived[kind],
    addFiles: (files: readonly File[]) => addFiles(sender, { kind, isAdult: false }, files),
    addAdultFiles: async (files: readonly File[]) => {
      if (files.length > 0 && (await dialogs.ask('adult_consent', { kind, count: files.length })))
        addFiles(sender, { kind, isAdult: true }, files)
    },
    retry: (upload: PendingUpload) => retryUpload(sender, upload),
    end: (upload: PendingUpload) => endUpload(sender, upload),
  }
}
