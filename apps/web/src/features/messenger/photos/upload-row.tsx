import { MessageBubble, ProgressLine } from '@duet/ui'
import { useSnapshot } from '../../../shared/app-services.tsx'
import { t } from '../../../shared/i18n.ts'
import { useMessenger } from '../use-messenger.ts'
import type { PhotoUpload } from '../state/photo-uploads.ts'

/** A photo on its way. After a failure the row stays with its file. */
export function UploadRow({ upload }: { upload: PhotoUpload }) {
  const messenger = useMessenger()
  const { key, src, progress, error } = upload
  const isFailed = error !== undefined
  const isOffline = useSnapshot().phase !== 'ready'
  const percent = Math.round(progress * 100)
  return (
    <MessageBubble
      own
      bare
      state={{
        kind: isFailed ? 'failed' : 'sending',
        text: t(isFailed ? 'messenger.failed' : 'messenger.sending'),
      }}
      retry={{ label: t('action.retry'), onPress: () => messenger.retryPhoto(upload) }}
      notes={
        <>
          {isFailed ? (
            <span role="alert" className="text-danger">
              {error}
            </span>
          ) : (
            <span aria-hidden className="figures">
              {isOffline ? t('messenger.waiting') : t('messenger.photo.percent', { percent })}
            </span>
          )}
          <button
            type="button"
            className="hit rounded-tag underline underline-offset-2"
            onClick={() => messenger.endPhoto(key)}
          >
            {t(isFailed ? 'action.delete' : 'action.cancel')}
          </button>
        </>
      }
    >
      <span className="relative block">
        <img
          src={src}
          alt={t('messenger.image.alt_own')}
          className="block h-60 w-auto max-w-full object-cover opacity-60"
        />
        {isFailed ? null : (
          <span className="absolute inset-x-4 bottom-4">
            <ProgressLine
              tone="ember"
              value={progress}
              label={t('messenger.photo.progress', { percent })}
            />
          </span>
        )}
      </span>
    </MessageBubble>
  )
}
