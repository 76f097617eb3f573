import { ArrowClockwiseIcon } from '@phosphor-icons/react/dist/csr/ArrowClockwise'
import { WifiSlashIcon } from '@phosphor-icons/react/dist/csr/WifiSlash'
import { useState } from 'react'
import { Button, Dialog } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { useOutage, type Outage } from '../errors/outage.ts'

/** The page cannot go on: no network, a new version, or a part of it that did not come. */
export function OutageDialog() {
  const outage = useOutage()
  // What it said stays readable while it leaves.
  const [last, setLast] = useState<Outage>('no_network')
  if (outage && outage !== last) setLast(outage)
  const said = outage ?? last
  return (
    <Dialog
      open={outage !== undefined}
      blocking
      role="alertdialog"
      align="center"
      emblem={
        said === 'no_network' ? (
          <WifiSlashIcon size={44} weight="duotone" className="text-ember-hi" />
        ) : (
          <ArrowClockwiseIcon size={44} weight="duotone" className="text-ember-hi" />
        )
      }
      title={t(`system.${said}`)}
      description={t(`system.${said}_text`)}
      actions={
        <Button variant="primary" size={54} wide onClick={() => location.reload()}>
          {t('system.reload')}
        </Button>
      }
    />
  )
}
