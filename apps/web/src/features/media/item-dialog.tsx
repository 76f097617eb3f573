import { useState } from 'react'
import { Button, Dialog, Field, Switch, Tag } from '@duet/ui'
import { limits } from '@duet/protocol/kernel/limits.ts'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { useAppServices } from '../../shared/app-services.tsx'
import { t } from '../../shared/i18n.ts'
import { onSubmit, usePress } from '../../shared/controls/use-press.ts'
import { showToast } from '../../shared/toasts.ts'
import { useMayShowAdult } from './adult-items.tsx'
import { useGalleryChanges } from './gallery-query.ts'

/** Title, audience and further actions of an own item. */
export function ItemDialog({ open, close, input: { media } }: OpenDialogProps<'media_item'>) {
  const { connection } = useAppServices()
  const { replace, remove, reload } = useGalleryChanges()
  const [title, setTitle] = useState(media.title ?? '')
  const [premium_only, setPremiumOnly] = useState(media.premium_only)
  const { id, kind } = media
  const mayShowAdult = useMayShowAdult()
  const { busy, press: during } = usePress(async (work: () => Promise<void>) => {
    try {
      await work()
      close(true)
    } catch (error) {
      await reload()
      throw error
    }
  })
  const save = () =>
    during(async () => {
      const answer = await connection.http.post('gallery/media/update', { id, title, premium_only })
      replace(answer.media)
    })
  const deleteItem = async () => {
    if (!(await dialogs.ask('delete_media', { kind }))) return
    await during(async () => {
      await connection.http.post('gallery/media/delete', { id })
      remove(id)
    })
  }
  const makeAvatar = () =>
    during(async () => {
      const { avatar, status } = await connection.http.post('avatar/set', { id })
      connection.patchUser({ avatar, avatar_status: status })
      const text = t(status === 'pending' ? 'media.avatar.sent' : 'media.avatar.saved')
      showToast({ id: 'avatar', kind: 'success', title: text })
    })

  const markAdult = async () => {
    if (!(await dialogs.ask('adult_consent', { kind, count: 1 }))) return
    await during(async () => {
      const agreed = { media_id: id, adult: true, consent: true } as const
      const answer = await connection.http.post('media_nsfw', agreed)
      replace(answer.media)
    })
  }

  const isOrdinary = !media.adult && (media.status === 'ready' || media.status === 'pending')
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('action.close')}
      title={t(kind === 'photo' ? 'word.photo' : 'media.item.video')}
      actions={
        <>
          <Button variant="danger-quiet" disabled={busy} onClick={() => void deleteItem()}>
            {t('action.delete')}
          </Button>
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            {t('media.item.save')}
          </Button>
        </>
      }
    >
      <form className="flex flex-col gap-4" onSubmit={onSubmit(save)}>
        <Field
          label={t('media.item.title')}
          value={title}
          maxLength={limits.title_characters}
          dir={title ? 'auto' : undefined}
          onChange={(event) => setTitle(event.currentTarget.value)}
        />
        {media.adult ? (
          <Tag tone="ember">{t('media.adult.tag')}</Tag>
        ) : (
          <Switch
            label={t('media.item.premium_only')}
            help={t('media.item.premium_only_help')}
            checked={premium_only}
            onChange={setPremiumOnly}
          />
        )}
        {kind === 'photo' && isOrdinary ? (
          <Button variant="outline" disabled={busy} onClick={() => void makeAvatar()}>
            {t('media.item.make_avatar')}
          </Button>
        ) : null}
        {mayShowAdult && isOrdinary ? (
          <Button variant="quiet" disabled={busy} onClick={() => void markAdult()}>
            {t('media.adult.mark')}
          </Button>
        ) : null}
      </form>
    </Dialog>
  )
}
