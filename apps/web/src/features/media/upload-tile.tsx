import { Button, ProgressLine } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import type { PendingUpload } from './uploads.ts'

export interface UploadTileProps {
  readonly upload: PendingUpload
  readonly retry: (upload: PendingUpload) => void
  /** Ends the upload, or removes a failed upload from the list. */
  readonly end: (upload: PendingUpload) => void
}

/** A file on its way to the gallery. After a failure the tile stays with its file. */
export function UploadTile({ upload, retry, end }: UploadTileProps) {
  const { kind, src, progress, error, file } = upload
  const label = t('media.upload.progress', { percent: Math.round(progress * 100) })
  return (
    <li className="flex min-w-0 flex-col gap-1.5">
      <div className="relative aspect-square overflow-hidden rounded-field bg-surface-2">
        {kind === 'photo' ? (
          <img
            src={src}
            alt=""
            className="size-full object-cover opacity-60"
            // If the file is not a photo, the tile shows a sentence and not the browser's sign of a broken picture.
            onError={(event) => (event.currentTarget.hidden = true)}
          />
        ) : (
          <video
            src={src}
            muted
            playsInline
            preload="metadata"
            className="size-full object-cover opacity-60"
          />
        )}
        {error ? null : (
          <span className="absolute inset-x-3 bottom-3">
            <ProgressLine tone="ember" value={progress} label={label} />
          </span>
        )}
      </div>
      {error ? (
        <p role="alert" className="meta text-danger">
          {error}
        </p>
      ) : (
        <p className="meta truncate text-text-3">
          <bdi>{file.name}</bdi>
        </p>
      )}
      <span className="flex flex-wrap gap-1.5">
        {error ? (
          <Button size={36} onClick={() => retry(upload)}>
            {t('action.retry')}
          </Button>
        ) : null}
        <Button
          size={36}
          variant="quiet"
          aria-label={t(error ? 'action.remove_named' : 'media.upload.cancel_of', {
            name: file.name,
          })}
          onClick={() => end(upload)}
        >
          {t(error ? 'action.remove' : 'action.cancel')}
        </Button>
      </span>
    </li>
  )
}
