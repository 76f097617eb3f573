import { Button, Dialog } from '@duet/ui'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { t } from '../../shared/i18n.ts'

/** Asked when Back would leave the call screen: stay, keep the call in its card, or end it. */
export function LeaveCallDialog({ input, open, close }: OpenDialogProps<'leave_call'>) {
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      title={t('video.leave.title', { nick: input.nick })}
      description={t('video.leave.text')}
      actions={
        <div className="flex w-full flex-col gap-2.5">
          <Button variant="primary" size={54} wide onClick={() => close('stay')}>
            {t('video.leave.stay')}
          </Button>
          <Button size={54} wide onClick={() => close('keep')}>
            {t('video.leave.keep')}
          </Button>
          <Button variant="quiet" wide onClick={() => close('end')}>
            {t('action.end_call')}
          </Button>
        </div>
      }
    />
  )
}
