import { Wordmark } from '@duet/ui'
import type { Locale } from '@duet/protocol/kernel/locales.ts'
import { t, translatedLocales } from '../../shared/i18n.ts'
import { LanguageLinks } from './language-links.tsx'

export interface FooterProps {
  path: string
  onLanguage: (locale: Locale) => void
  /** The prefix of the addresses of pages: `''` or `/de`. */
  base: string
  /** The not-found page has no choice of language. */
  withoutLanguages?: boolean
}

/** The footer: the product's name, the legal pages, the languages. */
export function Footer({ path, base, onLanguage, withoutLanguages }: FooterProps) {
  return (
    <footer aria-label={t('footer.label')} className="below-fold border-t border-hair">
      <div className="mx-auto flex max-w-[1440px] flex-col gap-8 px-5 py-12 md:px-14">
        <div className="flex flex-wrap items-center gap-x-8 gap-y-4">
          <Wordmark name={t('app.name')} size={26} />
          <p className="note text-text-3 max-md:basis-full max-md:order-last md:flex-1">
            {t('footer.line')}
          </p>
          <a className="ui py-2 text-text-2 hover:text-text" href="/girls/">
            {t('word.girls')}
          </a>
          <a className="ui py-2 text-text-2 hover:text-text" href={`${base}/terms`}>
            {t('footer.terms')}
          </a>
          <a className="ui py-2 text-text-2 hover:text-text" href={`${base}/privacy`}>
            {t('footer.privacy')}
          </a>
          <a className="ui py-2 text-text-2 hover:text-text" href={`${base}/report`}>
            {t('action.report')}
          </a>
        </div>
        {withoutLanguages || translatedLocales().length < 2 ? null : (
          <nav aria-label={t('footer.languages')}>
            <LanguageLinks
              path={path}
              onChoose={onLanguage}
              className="-mx-3 flex flex-wrap gap-1"
            />
          </nav>
        )}
      </div>
    </footer>
  )
}
