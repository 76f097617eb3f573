import { useState } from 'react'
import { Button, Dialog, Mark } from '@duet/ui'
import { roleOfGender, type Gender } from '@duet/protocol/kernel/roles.ts'
import { confirmAge } from '../../shared/account/age-confirmation.ts'
import { t, type TextId } from '../../shared/i18n.ts'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { CONNECTION_WAIT_MS, useAppServices } from '../../shared/app-services.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import {
  AgeConfirmationRows,
  isComplete,
  GenderSegment,
  UNANSWERED,
} from './age-confirmation-rows.tsx'

/** A woman registers before the camera is asked for: she cannot be met without an account. */
function nextText({ gender }: { gender: Gender | null }): TextId {
  return gender && roleOfGender(gender) === 'girl' ? 'age.next_girl' : 'age.next'
}

/** Before the camera: asks for the gender, an age of 18 or older, and the terms. Only its two buttons close it. */
export function AgeGate({ open, close }: OpenDialogProps<'age_confirmation'>) {
  const services = useAppServices()
  const [confirmation, setConfirmation] = useState(UNANSWERED)
  const isReady = isComplete(confirmation)
  const { busy, press: confirm } = usePress(async () => {
    if (!isComplete(confirmation)) return
    // The landing page opens the dialog before it is connected.
    await services.connection.ready(CONNECTION_WAIT_MS)
    await confirmAge(services, confirmation.gender)
    close(true)
  })

  return (
    <Dialog
      open={open}
      blocking
      layer="dialog"
      align="center"
      emblem={<Mark size={56} />}
      title={<span className="display-m">{t('age.title')}</span>}
      description={t('age.text')}
      actions={
        <div className="flex w-full flex-col gap-3.5">
          <Button
            variant="primary"
            size={54}
            wide
            busy={busy}
            disabled={!isReady}
            onClick={() => void confirm()}
          >
            {t('action.continue')}
          </Button>
          <Button variant="quiet" wide onClick={() => close()}>
            {t('action.leave')}
          </Button>
          <p className="meta text-center text-text-3">
            {t(isReady ? nextText(confirmation) : 'age.missing')}
          </p>
        </div>
      }
    >
      <div className="flex flex-col gap-5">
        <GenderSegment confirmation={confirmation} onChange={setConfirmation} />
        <AgeConfirmationRows confirmation={confirmation} onChange={setConfirmation} />
      </div>
    </Dialog>
  )
}
