import { CheckboxRow } from '@duet/ui'
import { formatCountry } from '../../shared/texts/person.ts'
import { t } from '../../shared/i18n.ts'
import { useObjectUrl } from '../../shared/media/use-object-url.ts'
import { getPictureLabel, type StepProps, type VerificationDraft } from './verification-draft.ts'

/** The third step: everything once more, and the consent. */
export function CheckStep({ draft, change }: StepProps) {
  return (
    <>
      <p className="body text-text-2">
        {t('verification.check_text', {
          type: t(`verification.type.${draft.type!}`),
          country: formatCountry(draft.country ?? ''),
        })}
      </p>
      <ul className="grid grid-cols-2 gap-3 md:grid-cols-3">
        <Preview picture={draft.front} label={getPictureLabel('front', draft)} />
        <Preview picture={findBack(draft)} label={getPictureLabel('back', draft)} />
        <Preview picture={draft.selfie} label={getPictureLabel('selfie', draft)} />
      </ul>
      <CheckboxRow checked={draft.consent} onChange={(consent) => change({ consent })}>
        {t('verification.consent')}
      </CheckboxRow>
    </>
  )
}

function findBack({ type, back }: VerificationDraft): Blob | null {
  return type === 'passport' ? null : back
}

function Preview({ picture, label }: { picture: Blob | null; label: string }) {
  const address = useObjectUrl(picture)
  if (!address) return null
  return (
    <li>
      <img
        src={address}
        alt={t('verification.preview', { label })}
        className="aspect-[8/5] w-full rounded-field bg-surface-3 object-contain"
      />
      <p className="note mt-1 text-text-2">{label}</p>
    </li>
  )
}
