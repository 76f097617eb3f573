import { CountdownConfirm } from '@duet/ui'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'

/** Asked before a picture or video is deleted: it cannot be brought back. */
export function DeleteMediaDialog({
  open,
  close,
  input: { kind },
}: OpenDialogProps<'delete_media'>) {
  return (
    <CountdownConfirm
      open={open}
      seconds={3}
      title={t(`media.delete_${kind}.title`)}
      description={t(`media.delete_${kind}.text`)}
      keep={{ label: t('media.delete_keep'), onPress: () => close() }}
      confirm={{
        label: t('action.delete'),
        waiting: (seconds) => t('action.delete_in', { seconds }),
        onPress: () => close(true),
      }}
      ready={t('media.delete_ready')}
    />
  )
}
