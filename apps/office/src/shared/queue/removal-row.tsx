import texts from '@duet/locales/en/office-removal.json'
import { CheckboxRow } from '@duet/ui/fields/checkbox-row.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { addTexts, msg, t } from '../texts.ts'

addTexts(texts)

const LABELS = {
  picture: msg('office.removal.picture'),
  message: msg('office.removal.message'),
} as const
export type RemovalKind = keyof typeof LABELS

/** Adds to a decision that what was reported is removed, too. */
export function RemovalRow({
  kind,
  isOn,
  onChange,
}: {
  kind: RemovalKind
  isOn: boolean
  onChange: (isOn: boolean) => void
}) {
  useKeys({ r: () => onChange(!isOn) })
  return (
    <CheckboxRow bare checked={isOn} onChange={onChange} help={t('office.removal.key')}>
      {t(LABELS[kind])}
    </CheckboxRow>
  )
}

/** The decision in words, with its removal. */
export function withRemoval(decision: string): string {
  return t('office.removal.says', { decision })
}
