import { Chip, ChipRow } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useSettings } from '../../../shared/queries.ts'

/** Phrases of the operator, above an empty composer. A press writes a phrase and sends nothing. */
export function QuickPhrases({
  onChoose,
  isShown,
}: {
  onChoose: (phrase: string) => void
  isShown: boolean
}) {
  const phrases = useSettings()?.fast_phrases ?? []
  if (!isShown || phrases.length === 0) return null
  return (
    <ChipRow label={t('messenger.composer.phrases')}>
      {phrases.map((phrase) => (
        <Chip key={phrase} onClick={() => onChoose(phrase)}>
          <bdi>{phrase}</bdi>
        </Chip>
      ))}
    </ChipRow>
  )
}
