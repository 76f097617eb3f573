import { Button, Dialog, Mark } from '@duet/ui'
import { t } from '../../lib/i18n.ts'
import { useSession, useSnapshot } from '../../lib/session.tsx'

/** Another tab took over; camera and microphone are released already. */
export function OtherTabDialog() {
  const { connection } = useSession()
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
