import { Button, Dialog, Mark } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useAppServices, useSnapshot } from '../../shared/app-services.tsx'

/** Shown after another tab took over; camera and microphone are already released. */
export function OtherTabDialog() {
  const { connection } = useAppServices()
  const { phase } = useSnapshot()
  return (
    <Dialog
      open={phase === 'other_tab'}
      blocking
      role="alertdialog"
      align="center"
      emblem={<Mark size={44} />}
      title={t('system.other_tab')}
      description={t('system.other_tab_text')}
      actions={
        <Button variant="primary" size={54} wide onClick={() => connection.reconnectNow()}>
          {t('system.use_here')}
        </Button>
      }
    />
  )
}
