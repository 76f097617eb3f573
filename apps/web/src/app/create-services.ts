import { claimTabId, createConnection, type Persistence } from '@duet/client'
import { currentLocale } from '../shared/i18n.ts'
import { entryFields, forgetEntryFields } from '../shared/navigation/entry-params.ts'
import type { AppServices } from '../shared/app-services.tsx'
import { report } from './errors/report.ts'
import { tabStorage } from './local-storage.ts'

/** Creates the services of the page, connected to the server that it was loaded from. */
export function createServices(persistence: Persistence): AppServices {
  let tabId: Promise<string> | undefined
  const connection = createConnection({
    origin: '',
    persistence,
    tabId: () => (tabId ??= claimTabId(tabStorage())),
    locale: currentLocale,
    entry: () => entryFields(persistence),
    solveCaptcha: async (challenge, call) => {
      const { solveCaptcha } = await import('./system/captcha/solve-captcha.ts')
      return solveCaptcha(challenge, call)
    },
    onEntryRefused: () => forgetEntryFields(persistence),
  })
  return { connection, persistence, report: (error) => report(error, connection) }
}
