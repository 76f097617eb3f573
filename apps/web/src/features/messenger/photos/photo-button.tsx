import { ImageIcon } from '@phosphor-icons/react/dist/csr/Image'
import { useRef } from 'react'
import { cx } from '@duet/ui'
import { useOwnUser } from '../../../shared/app-services.tsx'
import { FileInput } from '../../../shared/controls/file-input.tsx'
import { dialogs } from '../../../shared/dialogs.ts'
import { t } from '../../../shared/i18n.ts'
import { useSellsPremium } from '../../../shared/queries.ts'
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
 * that photos need Premium. `needed` is undefined if the user may send photos.
 */
export function useSendPhotos({ dialog_id, nick, credits }: PhotoTarget) {
  const messenger = useMessenger()
  const user = useOwnUser()
  const sellsPremium = useSellsPremium()
  const isPermitted = user?.role === 'girl' || user?.is_premium === true
  const needed: 'premium' | 'closed' | undefined = isPermitted
    ? undefined
    : sellsPremium
      ? 'premium'
      : 'closed'
  const sendPhotos = async (files: readonly File[]) => {
    if (files.length === 0) return
    const photos = files.filter(({ type }) => type.startsWith('image/'))
    const refusal = photos.length < files.length ? 'only' : needed
    if (refusal) return showToast({ title: t(`messenger.photo.${refusal}`) })
    if (photos.length > AT_ONCE_MAX)
      return showToast({ title: t('messenger.photo.at_once', { count: AT_ONCE_MAX }) })
    if (!messenger.hasPlaceFor(photos.length)) return refuseForOthers()
    if (!(await dialogs.ask('send_photos', { photos, nick, credits }))) return
    // Others may have been added while the question was open.
    if (!messenger.sendPhotos(dialog_id, photos)) refuseForOthers()
  }
  return { needed, sendPhotos }
}

function refuseForOthers(): void {
  showToast({ kind: 'error', title: t('messenger.photo.too_many_waiting') })
}

/** Chooses photos and sends them. */
export function PhotoButton(target: PhotoTarget) {
  const input = useRef<HTMLInputElement>(null)
  const { needed, sendPhotos } = useSendPhotos(target)
  // Without a shop the user could do nothing about it.
  if (needed === 'closed') return null
  const label = t(`messenger.photo.${needed ?? 'add'}`)
  return (
    <>
      <FileInput ref={input} multiple accept={ACCEPTED} onFiles={sendPhotos} />
      <button
        type="button"
        aria-label={label}
        title={label}
        onClick={() => {
          if (needed) dialogs.open('not_balance', { place: 'premium' })
          else input.current?.click()
        }}
        className={cx(
          'hit flex size-11 shrink-0 items-center justify-center rounded-full text-text-2 hover:text-text',
          needed && 'opacity-60',
        )}
      >
        <ImageIcon size={24} />
      </button>
    </>
  )
}
