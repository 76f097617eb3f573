import { CountdownConfirm } from '@duet/ui'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'

/** Asked before the own view of a dialog is emptied. */
export function CleanDialog(props: OpenDialogProps<'clean_dialog'>) {
  return <Question {...props} kind="clean" />
}

/** Asked before a dialog leaves the own list. */
export function DeleteDialog(props: OpenDialogProps<'delete_dialog'>) {
  return <Question {...props} kind="delete" />
}

type QuestionProps = OpenDialogProps<'clean_dialog'> & { kind: 'clean' | 'delete' }

function Question({ open, close, input: { nick }, kind }: QuestionProps) {
  return (
    <CountdownConfirm
      open={open}
      seconds={3}
      title={t(`messenger.${kind}.title`, { nick })}
      description={t(`messenger.${kind}.text`, { nick })}
      keep={{ label: t('action.keep'), onPress: () => close() }}
      confirm={{
        label: t(`messenger.${kind}.confirm`),
        waiting: (seconds) => t(`messenger.${kind}.confirm_in`, { seconds }),
        onPress: () => close(true),
      }}
      ready={t(`messenger.${kind}.ready`)}
    />
  )
}
