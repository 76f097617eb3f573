import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { createToasts, ToastRegion } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { mountGoTo } from '../../shared/navigation/go-to.ts'
import { mountToasts } from '../../shared/toasts.ts'
import { features } from '../features.ts'
import { OtherTabDialog } from './other-tab-dialog.tsx'
import { OutageDialog } from './outage-dialog.tsx'
import { ReconnectingPill } from './reconnecting-pill.tsx'

/** Notices, the connection's state, and the dialogs that block the page. */
export function Layers() {
  const [toasts] = useState(createToasts)
  const navigate = useNavigate()
  useEffect(() => mountToasts(toasts.show, toasts.hide), [toasts])
  useEffect(() => mountGoTo((path) => void navigate(path)), [navigate])
  useEffect(() => {
    for (const { preload } of features) void preload?.().catch(() => {})
  }, [])
  return (
    <>
      <ToastRegion toasts={toasts} label={t('toast.label')} closeLabel={t('toast.close')} />
      <ReconnectingPill />
      <OtherTabDialog />
      <OutageDialog />
    </>
  )
}
