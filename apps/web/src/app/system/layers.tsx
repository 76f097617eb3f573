import { lazy, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { createToasts, ToastRegion, Button, Dialog } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { mountGoTo } from '../../shared/navigation/go-to.ts'
import { mountToasts } from '../../shared/toasts.ts'
import { useSystem } from '../../shared/queries.ts'
import { features } from '../features.ts'
import { OtherTabDialog } from './other-tab-dialog.tsx'
import { ReconnectingPill } from './reconnecting-pill.tsx'
import { ArrowClockwiseIcon } from '@phosphor-icons/react/dist/csr/ArrowClockwise'
import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash'
import { useOutage, type Outage } from '../errors/outage.ts'

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
      <OptionalStatistics />
    </>
  )
}

/** A content blocker may refuse the file: then nothing is asked or counted, and the page goes on. */
const Statistics = lazy(() =>
  import('../../features/privacy/statistics/statistics-question.tsx').then(
    (module) => ({ default: module.Statistics }),
    () => ({ default: () => null }),
  ),
)

function OptionalStatistics() {
  if (useSystem()?.features.analytics.on !== true) return null
  return (
    <Suspense fallback={null}>
      <Statistics />
    </Suspense>
  )
}

/** Blocks the page: no network, a new version, or a part that did not load. */
function OutageDialog() {
  const outage = useOutage()
  // The text stays readable during the exit transition.
  const [last, setLast] = useState<Outage>('no_network')
  if (outage && outage !== last) setLast(outage)
  const shown = outage ?? last
  return (
    <Dialog
      open={outage !== undefined}
      blocking
      role="alertdialog"
      align="center"
      emblem={
        shown === 'no_network' || shown === 'draining' ? (
          <WifiSlashIcon size={44} weight="duotone" className="text-ember-hi" />
        ) : (
          <ArrowClockwiseIcon size={44} weight="duotone" className="text-ember-hi" />
        )
      }
      title={t(`system.${shown}`)}
      description={t(`system.${shown}_text`)}
      actions={
        <Button variant="primary" size={54} wide onClick={() => location.reload()}>
          {t('system.reload')}
        </Button>
      }
    />
  )
}
