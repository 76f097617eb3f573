import { useHref, useLocation } from 'react-router'
import { Dialog, cx } from '@duet/ui'
import type { Locale } from '@duet/protocol/kernel/locales.ts'
import { currentLocale, locales, pathInLocale, t, translatedLocales } from '../../shared/i18n.ts'
import type { OpenDialogProps } from '../../shared/dialogs.ts'
import { useAppServices } from '../../shared/app-services.tsx'

/** The languages that have texts. A choice reloads the page. */
export function LanguagesDialog({ open, close }: OpenDialogProps<'languages'>) {
  const { connection, persistence } = useAppServices()
  const { pathname } = useLocation()
  const here = useHref(pathname)
  const choose = async (locale: Locale) => {
    persistence.set('locale', locale)
    // The page is left with or without an answer: the next AUTH sends the language again.
    await Promise.race([
      connection.act('CHANGE_LOCALE', { locale }).catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, 1000)),
    ])
    location.assign(pathInLocale(here, locale))
  }
  return (
    <Dialog
      open={open}
      onClose={() => close()}
      closeLabel={t('action.close')}
      title={t('language.title')}
    >
      <ul className="grid grid-cols-2 gap-2">
        {translatedLocales().map((locale) => (
          <li key={locale}>
            <button
              type="button"
              lang={locale}
              dir={locales[locale].direction}
              aria-current={locale === currentLocale() ? 'true' : undefined}
              onClick={() => void choose(locale)}
              className={cx(
                'ui min-h-12 w-full rounded-field bg-surface-2 px-4 text-start hover:bg-surface-3',
                'aria-[current]:bg-ember-lo aria-[current]:shadow-[inset_0_0_0_1.5px_var(--ember-hi)]',
              )}
            >
              {locales[locale].name}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
