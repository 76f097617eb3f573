import { IdentificationCardIcon } from '@phosphor-icons/react/dist/csr/IdentificationCard'
import { Button, Dialog } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { useAppServices } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'

/** The country of a guy requires a proof of age. Explains the proof and leads to it. */
export function AgeProofDialog({ open, close, input }: OpenDialogProps<'age_proof'>) {
  const { connection } = useAppServices()
  const isOwn = input.provider === 'documents'
  const { busy, press: go } = usePress(async () => {
    const { url } = await connection.http.post('age/proof')
    location.assign(url)
    // The button stays busy until the other page is there.
    await new Promise(() => {})
  })

  return (
    <Dialog
      open={open}
      layer="dialog"
      onClose={() => close()}
      emblem={<IdentificationCardIcon size={40} weight="duotone" className="text-ember-hi" />}
      title={<span className="display-s">{t('verification.age.title')}</span>}
      description={t(isOwn ? 'verification.age.documents' : 'verification.age.provider')}
      actions={
        <div className="flex w-full flex-col gap-2.5">
          <Button variant="primary" size={54} wide busy={busy} onClick={() => void go()}>
            {t('verification.age.go')}
          </Button>
          <Button variant="quiet" wide onClick={() => close()}>
            {t('action.not_now')}
          </Button>
        </div>
      }
    />
  )
}
