import texts from '@duet/locales/en/office-checks.json'
import { findGesture } from '@duet/protocol/kernel/identity-checks.ts'
import type { DeclineReason } from '@duet/protocol/kernel/rule-names.ts'
import { countryName } from '../../shared/translation/country-name.ts'
import { addTexts, t, textOr } from '../../shared/texts.ts'

addTexts(texts)

export const reasonName = (reason: DeclineReason) => textOr(`office.check.${reason}`, reason)

/** A gesture that this version of the office does not know is shown as the server wrote it. */
export function gestureText(says: string): string {
  const gesture = findGesture(says)
  return gesture ? t('office.check.gesture_text', gesture) : says
}

interface NamedDocument {
  readonly document_type: string | null
  readonly country: string | null
}

/** The kind of a document, and the country that issued it. */
export function documentText({ document_type: type, country }: NamedDocument): string {
  const parts = [type && textOr(`office.document.${type}`, type), country && countryName(country)]
  return parts.filter(Boolean).join(' · ')
}
