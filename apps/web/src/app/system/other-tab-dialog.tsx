import { useState } from 'react'
import { Button, Dialog, Mark } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useAppServices, useSnapshot } from '../../shared/app-services.tsx'

/** Opens after another tab took over. Camera and microphone are already released. */
export function OtherTabDialog() {
  const { connection } = useAppServices()
  const { phase } = useSnapshot()
  const [isOtherKept, setOtherKept] = useState(false)

  function useHere(): void {
    setOtherKept(false)
    connection.reconnectNow()
  }

  function keepOther(): void {
    setOtherKept(true)
    // Browsers close only tabs that a script has opened. In other tabs the text explains what the user can do.
    close()
  }

  return (
    <Dialog
      open={phase === 'other_tab'}
      blocking
      role="alertdialog"
      align="center"
      emblem={<Mark size={44} />}
      title={t('system.other_tab')}
      description={
        <span role="status">
          {t(isOtherKept ? 'system.other_tab_kept' : 'system.other_tab_text')}
        </span>
      }
      actions={
        <div className="flex w-full flex-col gap-3">
          <Button variant={isOtherKept ? 'secondary' : 'primary'} size={54} wide onClick={useHere}>
            {t('system.use_here')}
          </Button>
          {isOtherKept ? null : (
            <Button variant="quiet" wide onClick={keepOther}>
              {t('system.keep_other_tab')}
            </Button>
          )}
        </div>
      }
    />
  )
}
