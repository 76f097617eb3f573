import { Chip, ChipRow } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useSettings } from '../../../shared/queries.ts'
import { useCommands } from '../room.tsx'

/** Said with one press, in the page's language; the operator's list. */
export function QuickPhrases() {
  const commands = useCommands()
  const phrases = useSettings()?.fast_phrases ?? []
  if (phrases.length === 0) return null
  return (
    <ChipRow label={t('video.chat.placeholder_short')}>
      {phrases.map((phrase) => (
        <Chip key={phrase} onClick={() => void commands.sendText(phrase)}>
          {phrase}
        </Chip>
      ))}
    </ChipRow>
  )
}
