import { type Gender, genderOf } from '@duet/protocol/kernel/roles.ts'
import type { ReactNode } from 'react'
import { CheckboxRow, Segment } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { Text } from '../../shared/rich-text.tsx'

export interface AgeConfirmation {
  sex: Gender | null
  is_adult: boolean
  accepts: boolean
}

/** Nothing is answered beforehand. */
export const UNANSWERED: AgeConfirmation = { sex: null, is_adult: false, accepts: false }

export function isComplete(adult: AgeConfirmation): adult is AgeConfirmation & { sex: Gender } {
  return adult.sex !== null && adult.is_adult && adult.accepts
}

interface Rows {
  adult: AgeConfirmation
  onChange: (adult: AgeConfirmation) => void
}

export function GenderSegment({ adult, onChange }: Rows) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="note text-text-2">{t('age.i_am')}</span>
      <Segment
        label={t('age.i_am')}
        size={48}
        wide
        value={adult.sex}
        onChange={(sex) => onChange({ ...adult, sex })}
        options={[
          { value: genderOf('guy'), label: t('age.man') },
          { value: genderOf('girl'), label: t('age.woman') },
        ]}
      />
    </div>
  )
}

export function AgeConfirmationRows({ adult, onChange }: Rows) {
  return (
    <div className="flex flex-col gap-2.5">
      <CheckboxRow
        checked={adult.is_adult}
        onChange={(is_adult) => onChange({ ...adult, is_adult })}
      >
        {t('age.adult')}
      </CheckboxRow>
      <CheckboxRow checked={adult.accepts} onChange={(accepts) => onChange({ ...adult, accepts })}>
        <Text
          id="age.terms"
          parts={{
            terms: (words) => (
              <LegalLink onPress={() => dialogs.open('terms', {})}>{words}</LegalLink>
            ),
            privacy: (words) => (
              <LegalLink onPress={() => dialogs.open('privacy', {})}>{words}</LegalLink>
            ),
          }}
        />
      </CheckboxRow>
    </div>
  )
}

/** Inside of a label: pressing it reads the law and does not accept it. */
function LegalLink({ onPress, children }: { onPress: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className="hit rounded-tag underline underline-offset-3 hover:text-ember-hi"
      onClick={(event) => {
        event.preventDefault()
        event.stopPropagation()
        onPress()
      }}
    >
      {children}
    </button>
  )
}
