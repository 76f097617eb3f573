import { useMemo } from 'react'
import { RadioRows, Select } from '@duet/ui'
import { countryOptions } from '../../shared/texts/countries.ts'
import { t } from '../../shared/i18n.ts'
import { PictureSlot } from './picture-slot.tsx'
import { DOCUMENT_KINDS, getPictureLabel, hasBack, type StepProps } from './verification-draft.ts'
import { IdentificationCardIcon } from '@phosphor-icons/react/dist/csr/IdentificationCard'
import { ReadCvLogoIcon } from '@phosphor-icons/react/dist/csr/ReadCvLogo'

/** The first step: the kind of document, its country, and its sides. */
export function DocumentStep({ draft, change, errors }: StepProps) {
  const countries = useMemo(() => countryOptions(), [])
  return (
    <>
      <RadioRows
        label={t('verification.type')}
        value={draft.type}
        onChange={(type) => change({ type })}
        options={DOCUMENT_KINDS.map((kind) => ({
          value: kind,
          label: t(`verification.type.${kind}`),
        }))}
      />
      <Select
        label={t('verification.country')}
        placeholder={t('verification.country_choose')}
        options={countries}
        value={draft.country}
        onChange={(country) => change({ country })}
      />
      {draft.type ? <Sides draft={draft} change={change} errors={errors} /> : null}
    </>
  )
}

function Sides({ draft, change, errors }: StepProps) {
  return (
    <div className="flex flex-col gap-4">
      <p className="note text-text-2">{t('verification.document_help')}</p>
      <PictureSlot
        label={getPictureLabel('front', draft)}
        sample={<FrontSample />}
        picture={draft.front}
        error={errors.front}
        camera="environment"
        onPicture={(front) => change({ front })}
      />
      {hasBack(draft) ? (
        <PictureSlot
          label={getPictureLabel('back', draft)}
          sample={<BackSample />}
          picture={draft.back}
          error={errors.back}
          camera="environment"
          onPicture={(back) => change({ back })}
        />
      ) : null}
    </div>
  )
}

/** Drawings of a good picture: the whole document, and its back. */
function FrontSample() {
  return (
    <span
      aria-hidden="true"
      className="flex h-3/4 w-3/4 items-center justify-center rounded-field border border-dashed border-line-strong"
    >
      <IdentificationCardIcon size={56} weight="duotone" />
    </span>
  )
}

function BackSample() {
  return (
    <span
      aria-hidden="true"
      className="flex h-3/4 w-3/4 items-center justify-center rounded-field border border-dashed border-line-strong"
    >
      <ReadCvLogoIcon size={56} weight="duotone" />
    </span>
  )
}
