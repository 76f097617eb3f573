import { ArrowClockwiseIcon } from '@phosphor-icons/react/dist/csr/ArrowClockwise'
import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash'
import { useState } from 'react'
import { Button, Dialog } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useOutage, type Outage } from '../errors/outage.ts'

/** Blocks the page: no network, a new version, or a part that did not load. */
export function OutageDialog() {
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
