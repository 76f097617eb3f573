import { findGesture } from '@duet/protocol/kernel/identity-checks.ts'
import { HandPalmIcon } from '@phosphor-icons/react/dist/csr/HandPalm'
import { t } from '../../shared/i18n.ts'
import { PictureSlot } from './picture-slot.tsx'
import { SelfieCamera } from './selfie-camera.tsx'
import type { StepProps } from './verification-draft.ts'

/** The second step: a live picture with the gesture that the server drew for this user. */
export function SelfieStep({ draft, change, errors, says }: StepProps & { says: string }) {
  return (
    <>
      <p className="body flex items-start gap-3 rounded-row bg-ember-lo p-4 text-text">
        <HandPalmIcon size={24} weight="duotone" className="shrink-0 text-ember-hi" />
        <span>
          <span className="ui block">{gestureText(says)}</span>
          <span className="note mt-0.5 block text-text-2">{t('verification.gesture_help')}</span>
        </span>
      </p>
      {errors.selfie ? (
        <p role="alert" className="note text-danger">
          {errors.selfie}
        </p>
      ) : null}
      <SelfieCamera
        picture={draft.selfie}
        onPicture={(selfie) => change({ selfie })}
        fallback={
          <PictureSlot
            label={t('verification.selfie')}
            sample={<HandPalmIcon size={56} weight="duotone" aria-hidden="true" />}
            picture={draft.selfie}
            error={undefined}
            camera="user"
            onPicture={(selfie) => change({ selfie })}
          />
        }
      />
    </>
  )
}

/** A gesture that this version of the page does not know is shown as the server wrote it. */
export function gestureText(says: string): string {
  const gesture = findGesture(says)
  return gesture ? t('verification.gesture', { ...gesture }) : says
}
