import { cx } from '@duet/ui'
import { currentLocale, locales, pathInLocale, translatedLocales } from '../../shared/i18n.ts'
import type { Locale } from '@duet/protocol/kernel/locales.ts'

interface LanguageLinksProps {
  /** The path of this page, with or without a language in front. */
  path: string
  onChoose: (locale: Locale) => void
  className?: string
  linkClassName?: string
}

/** The languages that have texts, under their own names. Links, so that they work without a script. */
export function LanguageLinks({ path, onChoose, className, linkClassName }: LanguageLinksProps) {
  const chosen = currentLocale()
  return (
    <ul className={className}>
      {translatedLocales().map((locale) => (
        <li key={locale}>
          <a
            href={pathInLocale(path, locale)}
            hrefLang={locale}
            lang={locale}
            dir={locales[locale].direction}
            aria-current={locale === chosen ? 'true' : undefined}
            onClick={() => onChoose(locale)}
            // Names in up to six scripts: our fonts would be fetched for the footer alone.
            style={{ fontFamily: 'system-ui, sans-serif' }}
            className={cx(
              'ui inline-flex min-h-9 items-center rounded-full px-3 text-text-2 hover:text-text aria-[current]:text-ember-hi',
              linkClassName,
            )}
          >
            {locales[locale].name}
          </a>
        </li>
      ))}
    </ul>
  )
}
