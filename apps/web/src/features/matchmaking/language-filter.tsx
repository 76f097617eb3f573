import type { Locale } from '@duet/protocol'
import { Chip, ChipRow } from '@duet/ui'
import { locales, t } from '../../shared/i18n.ts'
import { useSearchCommands, useWantedLanguages } from './search-context.tsx'

/** The languages that the next partner should speak. Without a choice any language is right. */
export function LanguageFilter() {
  const commands = useSearchCommands()
  const chosen = useWantedLanguages()
  const choose = (next: readonly Locale[]) => commands.chooseLanguages(next)
  const toggle = (locale: Locale) =>
    choose(chosen.includes(locale) ? chosen.filter((each) => each !== locale) : [...chosen, locale])
  return (
    <div className="min-w-0">
      <p className="note mb-1 text-text-2">{t('video.idle.languages')}</p>
      <ChipRow label={t('video.idle.languages')}>
        <Chip selected={chosen.length === 0} onClick={() => choose([])}>
          {t('video.idle.any_language')}
        </Chip>
        {(Object.keys(locales) as Locale[]).map((locale) => (
          <Chip
            key={locale}
            lang={locale}
            selected={chosen.includes(locale)}
            onClick={() => toggle(locale)}
          >
            {locales[locale].name}
          </Chip>
        ))}
      </ChipRow>
    </div>
  )
}
