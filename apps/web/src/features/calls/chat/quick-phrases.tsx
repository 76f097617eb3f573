import { Chip, ChipRow } from '@duet/ui'
import { t } from '../../../shared/i18n.ts'
import { useSettings } from '../../../shared/queries.ts'
import { useCallCommands } from '../call-context.tsx'

/** The operator's phrases in the page's language. A press sends a phrase. */
export function QuickPhrases() {
  const commands = useCallCommands()
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
