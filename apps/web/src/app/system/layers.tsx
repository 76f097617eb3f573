import { useEffect, useState } from 'react'
import { createToasts, ToastRegion } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { mountToasts } from '../../shared/toasts.ts'
import { preloadDialogs } from '../dialogs/registry.ts'
import { OtherTabDialog } from './other-tab-dialog.tsx'
import { OutageDialog } from './outage-dialog.tsx'
import { ReconnectingPill } from './reconnecting-pill.tsx'

/** Notices, the state of the line, and what blocks the page. */
export function Layers() {
  const [toasts] = useState(createToasts)
  useEffect(() => mountToasts(toasts.show), [toasts])
  useEffect(preloadDialogs, [])
  return (
    <>
      <ToastRegion toasts={toasts} label={t('toast.label')} closeLabel={t('toast.close')} />
      <ReconnectingPill />
      <OtherTabDialog />
      <OutageDialog />
    </>
  )
}
