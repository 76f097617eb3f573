import { useLocation } from 'react-router'
import type { Locale } from '@duet/protocol/kernel/locales.ts'
import { useAppServices } from '../shared/app-services.tsx'
import { useCallback } from 'react'
import { currentLocale } from '../shared/i18n.ts'

/** The address of this page, and the handler for choosing another language. The language link then reloads the page. */
export function useAddress() {
  const { pathname } = useLocation()
  const { connection, persistence } = useAppServices()
  const onLanguage = useCallback(
    (locale: Locale) => {
      persistence.set('locale', locale)
      if (connection.getSnapshot().phase === 'ready')
        void connection.act('CHANGE_LOCALE', { locale }).catch(() => {})
    },
    [connection, persistence],
  )
  // The prerendered page of a language is also served at `/`, so its links name the language.
  return { path: pathname, base: `/${currentLocale()}`, onLanguage }
}
