import { ImageIcon } from '@phosphor-icons/react/dist/csr/Image'
import { useRef } from 'react'
import { cx } from '@duet/ui'
import { useOwnUser } from '../../../shared/app-services.tsx'
import { dialogs } from '../../../shared/dialogs.ts'
import { t } from '../../../shared/i18n.ts'
import { showToast } from '../../../shared/toasts.ts'
import { useMessenger } from '../use-messenger.ts'

const ACCEPTED = 'image/jpeg,image/png,image/webp'

/** More at once are hardly meant, and each of them may cost. */
const AT_ONCE_MAX = 10

/** The dialog that gets the photos, and the price of photos there. */
export interface PhotoTarget {
  readonly dialog_id: number
  readonly nick: string
  /** The message credits that one photo costs. */
  readonly credits: number
}

/**
 * Sends photos into a dialog. The user sees previews and confirms first. A guy without Premium learns before the upload
 * that photos need Premium.
 */
export function useSendPhotos({ dialog_id, nick, credits }: PhotoTarget) {
  const messenger = useMessenger()
  const user = useOwnUser()
  const isPermitted = user?.role === 'girl' || user?.is_premium === true
  const sendPhotos = async (files: readonly File[]) => {
    if (files.length === 0) return
    const photos = files.filter(({ type }) => type.startsWith('image/'))
    const refusal = photos.length < files.length ? 'only' : isPermitted ? undefined : 'premium'
    if (refusal) return showToast({ title: t(`messenger.photo.${refusal}`) })
    if (photos.length > AT_ONCE_MAX)
      return showToast({ title: t('messenger.photo.at_once', { count: AT_ONCE_MAX }) })
    if (!messenger.hasPlaceFor(photos.length)) return refuseForOthers()
    if (!(await dialogs.ask('send_photos', { photos, nick, credits }))) return
    // Others may have been added while the question was open.
    if (!messenger.sendPhotos(dialog_id, photos)) refuseForOthers()
  }
  return { isPermitted, sendPhotos }
}

function refuseForOthers(): void {
  showToast({ kind: 'error', title: t('messenger.photo.too_many_waiting') })
}

/** Chooses photos and sends them. */
export function PhotoButton(target: PhotoTarget) {
  const input = useRef<HTMLInputElement>(null)
  const { isPermitted, sendPhotos } = useSendPhotos(target)
  const label = t(isPermitted ? 'messenger.photo.add' : 'messenger.photo.premium')
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        accept={ACCEPTED}
        aria-hidden
        tabIndex={-1}
        className="sr-only"
        onChange={({ currentTarget }) => {
          void sendPhotos([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => {
          if (isPermitted) input.current?.click()
          else showToast({ title: t('messenger.photo.premium') })
        }}
        className={cx(
          'hit flex size-11 shrink-0 items-center justify-center rounded-full text-text-2 hover:text-text',
          !isPermitted && 'opacity-60',
        )}
      >
        <ImageIcon size={24} />
      </button>
    </>
  )
}
