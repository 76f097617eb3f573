import { CountdownConfirm } from '@duet/ui'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'

/** Asked before a user is blocked: favourites between the two end, and a call ends at once. */
export function BlockDialog({ open, close, input: { nick } }: OpenDialogProps<'block_user'>) {
  return (
    <CountdownConfirm
      open={open}
      seconds={3}
      title={t('girl.block.title', { nick })}
      description={t('girl.block.text')}
      keep={{ label: t('action.cancel'), onPress: () => close() }}
      confirm={{
        label: t('action.block'),
        waiting: (seconds) => t('girl.block.confirm_in', { seconds }),
        onPress: () => close(true),
      }}
      ready={t('girl.block.ready')}
    />
  )
}
