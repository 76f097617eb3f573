import { CaretDownIcon } from '@phosphor-icons/react/dist/csr/CaretDown'
import { GlobeIcon } from '@phosphor-icons/react/dist/csr/Globe'
import { buttonLook, cx, Wordmark } from '@duet/ui'
import type { Locale } from '@duet/protocol/kernel/locales.ts'
import { currentLocale, locales, t, translatedLocales } from '../../shared/i18n.ts'
import { LanguageLinks } from './language-links.tsx'

const LINK = 'ui py-2 text-[calc(15rem/16)]! text-text-2 hover:text-text'

export interface TopBarProps {
  path: string
  onLanguage: (locale: Locale) => void
  onLogin: () => void
  onRegister: () => void
}

/** The bar above the landing page. Its parts are links, or wait for the application. */
export function TopBar({ path, onLanguage, onLogin, onRegister }: TopBarProps) {
  return (
    <header className="flex h-16 items-center gap-3 px-5 md:h-[84px] md:gap-7 md:px-14">
      <a href="#top" aria-label={t('app.name')} className="md:me-7">
        <Wordmark name={t('app.name')} className="max-md:text-[27px]!" />
      </a>
      <nav aria-label={t('landing.nav.label')} className="hidden items-center gap-7 lg:flex">
        <a href="/girls/" className={LINK}>
          {t('word.girls')}
        </a>
        <Anchor to="how">{t('landing.nav.how')}</Anchor>
        <Anchor to="safety">{t('landing.nav.safety')}</Anchor>
        <Anchor to="rates">{t('landing.nav.rates')}</Anchor>
        <Anchor to="questions">{t('landing.nav.questions')}</Anchor>
      </nav>
      <span className="flex-1" />
      {translatedLocales().length > 1 ? (
        <LanguagePicker path={path} onLanguage={onLanguage} />
      ) : null}
      <button
        type="button"
        data-press="login"
        onClick={onLogin}
        className={cx(
          'hit ui min-h-11 rounded-full px-4 whitespace-nowrap text-[calc(15rem/16)]! text-text max-md:bg-surface-3 max-md:px-[18px] max-md:shadow-card',
          'md:text-text-2 md:hover:text-text',
        )}
      >
        {t('action.log_in')}
      </button>
      <button
        type="button"
        data-press="register"
        onClick={onRegister}
        className={cx(
          buttonLook({ variant: 'secondary' }),
          'px-[18px]! text-[calc(15rem/16)]! max-md:hidden',
        )}
      >
        {t('action.create_account')}
      </button>
    </header>
  )
}

function Anchor({ to, children }: { to: string; children: string }) {
  return (
    <a href={`#${to}`} className={LINK}>
      {children}
    </a>
  )
}

/** The browser's own popover: it opens without a script. */
function LanguagePicker({ path, onLanguage }: Pick<TopBarProps, 'path' | 'onLanguage'>) {
  const locale = currentLocale()
  return (
    <>
      <button
        type="button"
        popoverTarget="languages"
        className="hit language-anchor ui inline-flex min-h-11 items-center gap-2.5 rounded-full px-3 text-[calc(15rem/16)]! text-text-2 hover:text-text"
      >
        <GlobeIcon size={20} className="max-md:hidden" />
        <span className="sr-only">{t('language.choose')}</span>
        <span className="max-md:hidden">{locales[locale].name}</span>
        <span className="uppercase md:hidden">{locale}</span>
        <CaretDownIcon size={14} weight="bold" />
      </button>
      <div id="languages" popover="auto" className="language-popover">
        <LanguageLinks
          path={path}
          onChoose={onLanguage}
          className="grid grid-cols-2 gap-0.5"
          linkClassName="w-full rounded-control! hover:bg-surface-4"
        />
      </div>
    </>
  )
}
