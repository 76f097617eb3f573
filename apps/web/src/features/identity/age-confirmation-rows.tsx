import { type Gender, toGender } from '@duet/protocol/kernel/roles.ts'
import type { ReactNode } from 'react'
import { CheckboxRow, Segment } from '@duet/ui'
import { t } from '../../shared/i18n.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { Text } from '../../shared/texts/rich-text.tsx'

export interface AgeConfirmation {
  gender: Gender | null
  isAdult: boolean
  acceptsTerms: boolean
}

/** No answer is preselected. */
export const UNANSWERED: AgeConfirmation = { gender: null, isAdult: false, acceptsTerms: false }

export function isComplete(
  confirmation: AgeConfirmation,
): confirmation is AgeConfirmation & { gender: Gender } {
  return confirmation.gender !== null && confirmation.isAdult && confirmation.acceptsTerms
}

interface Rows {
  confirmation: AgeConfirmation
  onChange: (confirmation: AgeConfirmation) => void
}

export function GenderSegment({ confirmation, onChange }: Rows) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="note text-text-2">{t('age.i_am')}</span>
      <Segment
        label={t('age.i_am')}
        size={48}
        wide
        value={confirmation.gender}
        onChange={(gender) => onChange({ ...confirmation, gender })}
        options={[
          { value: toGender('guy'), label: t('word.man') },
          { value: toGender('girl'), label: t('word.woman') },
        ]}
      />
    </div>
  )
}

export function AgeConfirmationRows({ confirmation, onChange }: Rows) {
  return (
    <div className="flex flex-col gap-2.5">
      <CheckboxRow
        checked={confirmation.isAdult}
        onChange={(isAdult) => onChange({ ...confirmation, isAdult })}
      >
        {t('age.adult')}
      </CheckboxRow>
      <CheckboxRow
        checked={confirmation.acceptsTerms}
        onChange={(acceptsTerms) => onChange({ ...confirmation, acceptsTerms })}
      >
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

/** Inside a label: a press opens the document and does not accept it. */
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
