import { ImageIcon } from '@phosphor-icons/react/dist/csr/Image'
import { useRef } from 'react'
import { cx } from '@duet/ui'
import { useOwnUser } from '../../../shared/app-services.tsx'
import { t } from '../../../shared/i18n.ts'
import { showToast } from '../../../shared/toasts.ts'
import { useMessenger } from '../use-messenger.ts'

const ACCEPTED = 'image/jpeg,image/png,image/webp'

/** Sends files that are photos into a dialog; a guy needs Premium for it, and is told before anything is uploaded. */
export function useSendPhotos(dialog_id: number) {
  const messenger = useMessenger()
  const user = useOwnUser()
  const isPermitted = user?.role === 'girl' || user?.is_premium === true
  const sendPhotos = (files: readonly File[]) => {
    const photos = files.filter(({ type }) => type.startsWith('image/'))
    if (photos.length === 0) return
    if (isPermitted) messenger.sendPhotos(dialog_id, photos)
    else showToast({ title: t('messenger.photo.premium') })
  }
  return { isPermitted, sendPhotos }
}

/** Chooses photos and sends them. */
export function PhotoButton({ dialog_id }: { dialog_id: number }) {
  const input = useRef<HTMLInputElement>(null)
  const { isPermitted, sendPhotos } = useSendPhotos(dialog_id)
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
          sendPhotos([...(currentTarget.files ?? [])])
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
