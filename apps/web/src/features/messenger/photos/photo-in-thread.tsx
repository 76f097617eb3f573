import { ClockIcon } from '@phosphor-icons/react/dist/csr/Clock'
import { ImageBrokenIcon } from '@phosphor-icons/react/dist/csr/ImageBroken'
import { LockSimpleIcon } from '@phosphor-icons/react/dist/csr/LockSimple'
import { useEffect, useState, type CSSProperties, type ReactNode } from 'react'
import type { Media, Message } from '@duet/protocol'
import { Button, Spinner, Viewer } from '@duet/ui'
import { useAgeConfirmation } from '../../../shared/account/age-confirmation.ts'
import { useAppServices, useOwnUser } from '../../../shared/app-services.tsx'
import { t } from '../../../shared/i18n.ts'
import { EnlargeablePhoto } from '../../../shared/media/enlargeable-photo.tsx'
import { ReportPicture } from '../../../shared/media/report-picture.tsx'
import { findSrcSet } from '../../../shared/media/src-set.ts'
import { useBackEntry } from '../../../shared/navigation/back-entries.ts'
import { useMessengerState } from '../use-messenger.ts'

const HEIGHT_MAX_PX = 320
const WIDTH_MIN_PX = 180

interface PhotoInThreadProps {
  readonly media: Media
  readonly is_own: boolean
  /** Absent for a photo that is not sent yet. */
  readonly message?: Message
}

/** A photo of the thread, or why it is not shown: staff check it, the age is not confirmed, it did not load. */
export function PhotoInThread({ media, is_own, message }: PhotoInThreadProps) {
  const { id, status, locked } = media
  const [failedUrl, setFailedUrl] = useState<string>()
  const unlocked = useUnlockedUrl(id, locked)
  const url = media.url ?? unlocked.url
  if (url === undefined)
    return locked ? (
      <LockedPhoto media={media} {...unlocked} />
    ) : (
      <PhotoFrame media={media}>
        <Explanation icon={<ClockIcon size={28} />} text={t('messenger.image.checked')} />
      </PhotoFrame>
    )
  if (failedUrl === url)
    return (
      <PhotoFrame media={media}>
        <Explanation icon={<ImageBrokenIcon size={28} />} text={t('messenger.image.broken')}>
          <Button size={36} onClick={() => setFailedUrl(undefined)}>
            {t('action.retry')}
          </Button>
        </Explanation>
      </PhotoFrame>
    )
  return (
    <>
      <ShownPhoto
        media={media}
        is_own={is_own}
        {...(message && { message })}
        url={url}
        onError={() => setFailedUrl(url)}
      />
      {is_own && status === 'pending' ? (
        <span className="note block bg-surface-2 px-4 py-2 text-text-2">
          {t('messenger.image.checked_own')}
        </span>
      ) : null}
    </>
  )
}

interface ShownPhotoProps extends PhotoInThreadProps {
  readonly url: string
  readonly onError: () => void
}

/** A press shows it over the whole screen. */
function ShownPhoto({ media, is_own, message, url, onError }: ShownPhotoProps) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  useBackEntry(isOpen, close)
  const srcSet = findSrcSet(media.variants)
  const alt = t(is_own ? 'messenger.image.alt_own' : 'word.photo')
  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        aria-label={t('messenger.image.open')}
        className="block max-w-full"
      >
        <PhotoFrame media={media}>
          <img
            src={url}
            srcSet={srcSet}
            sizes={srcSet && `${getShownWidth(media)}px`}
            alt={alt}
            loading="lazy"
            decoding="async"
            onError={onError}
            className="block size-full object-cover"
          />
        </PhotoFrame>
      </button>
      <Viewer
        open={isOpen}
        onClose={close}
        footer={
          is_own || !message ? null : (
            <ReportPhoto message={message} media={media} onPress={close} />
          )
        }
        label={alt}
        labels={{
          close: t('action.close'),
          previous: t('messenger.image.previous'),
          next: t('action.next'),
        }}
      >
        <EnlargeablePhoto src={url} alt={alt} width={media.width} height={media.height} />
      </Viewer>
    </>
  )
}

interface ReportPhotoProps {
  readonly message: Message
  readonly media: Media
  readonly onPress: () => void
}

function ReportPhoto({ message: { message_id, dialog_id }, media, onPress }: ReportPhotoProps) {
  const dialog = useMessengerState(({ dialogs }) => dialogs.get(dialog_id))
  if (!dialog) return null
  const { interlocutor: person } = dialog
  return (
    <ReportPicture person={person} message_id={message_id} media_id={media.id} onPress={onPress} />
  )
}

interface LockedPhotoProps extends UnlockedUrl {
  readonly media: Media
}

function LockedPhoto({ media, status, retry }: LockedPhotoProps) {
  const confirmAge = useAgeConfirmation()
  if (status === 'loading')
    return (
      <PhotoFrame media={media}>
        <span aria-busy className="flex size-full items-center justify-center">
          <Spinner size={24} />
        </span>
      </PhotoFrame>
    )
  if (status === 'failed')
    return (
      <PhotoFrame media={media}>
        <Explanation icon={<ImageBrokenIcon size={28} />} text={t('messenger.image.broken')}>
          <Button size={36} onClick={retry}>
            {t('action.retry')}
          </Button>
        </Explanation>
      </PhotoFrame>
    )
  return (
    <PhotoFrame media={media}>
      <Explanation icon={<LockSimpleIcon size={28} />} text={t('messenger.image.locked')}>
        <Button size={36} onClick={() => void confirmAge()}>
          {t('messenger.image.unlock')}
        </Button>
      </Explanation>
    </PhotoFrame>
  )
}

interface UnlockedUrl {
  /** `locked`: the age is not confirmed. */
  readonly status: 'locked' | 'loading' | 'failed'
  readonly url: string | undefined
  readonly retry: () => void
}

/**
 * The address of a locked photo, once the viewer has confirmed the age. After a failure the address is requested again.
 */
function useUnlockedUrl(id: string, locked: boolean): UnlockedUrl {
  const { connection } = useAppServices()
  const isConfirmed = useOwnUser()?.age_confirmed === true
  const [url, setUrl] = useState<string>()
  const [isFailed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (!locked || !isConfirmed) return
    setFailed(false)
    connection.http
      .post('media/urls', { ids: [id] })
      .then(({ urls }) => (urls[0] ? setUrl(urls[0].url) : setFailed(true)))
      .catch(() => setFailed(true))
  }, [connection, id, locked, isConfirmed, tries])
  const asked = isFailed ? 'failed' : 'loading'
  return {
    status: isConfirmed ? asked : 'locked',
    url,
    retry: () => setTries((before) => before + 1),
  }
}

function getShownWidth({ width, height }: Media): number {
  return Math.round(Math.max(WIDTH_MIN_PX, Math.min(width, (HEIGHT_MAX_PX * width) / height)))
}

/** The place of a photo: as large as it is before it has loaded. */
function PhotoFrame({ media, children }: { media: Media; children: ReactNode }) {
  const { width, height } = media
  const size: CSSProperties = {
    width: getShownWidth(media),
    aspectRatio: `${width} / ${height}`,
    maxHeight: HEIGHT_MAX_PX,
  }
  return (
    <span className="block max-w-full overflow-hidden bg-surface-2" style={size}>
      {children}
    </span>
  )
}

function Explanation({
  icon,
  text,
  children,
}: {
  icon: ReactNode
  text: string
  children?: ReactNode
}) {
  return (
    <span className="flex size-full flex-col items-center justify-center gap-2 p-4 text-center text-text-2">
      {icon}
      <span className="note">{text}</span>
      {children}
    </span>
  )
}
