import { CountdownConfirm } from '@duet/ui'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'

/** Asked before the own history is cleared. The list cannot be brought back. */
export function ClearHistoryDialog({ open, close }: OpenDialogProps<'clear_history'>) {
  return (
    <CountdownConfirm
      open={open}
      seconds={3}
      title={t('history.clear.title')}
      description={t('history.clear.text')}
      keep={{ label: t('action.keep'), onPress: () => close() }}
      confirm={{
        label: t('history.clear.confirm'),
        waiting: (seconds) => t('history.clear.confirm_in', { seconds }),
        onPress: () => close(true),
      }}
      ready={t('history.clear.ready')}
    />
  )
}
