import { useRef } from 'react'
import { Button, Dialog } from '@duet/ui'
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
  const keep = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      role="alertdialog"
      title={t(`messenger.${kind}.title`, { nick })}
      description={t(`messenger.${kind}.text`, { nick })}
      initialFocus={keep}
      actions={
        <>
          <Button ref={keep} onClick={() => close()}>
            {t('messenger.keep')}
          </Button>
          <Button variant="danger-quiet" onClick={() => close(true)}>
            {t(`messenger.${kind}.confirm`)}
          </Button>
        </>
      }
    />
  )
}
