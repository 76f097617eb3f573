import { claimTabId, createConnection, type Persistence } from '@duet/client'
import { currentLocale } from '../shared/i18n.ts'
import { entryParams } from '../shared/navigation/entry-params.ts'
import type { AppServices } from '../shared/app-services.tsx'
import { report } from './errors/report.ts'
import { tabStorage } from './local-storage.ts'

/** Creates the services of the page, connected to the server that it was loaded from. */
export function createServices(persistence: Persistence): AppServices {
  const tabId = claimTabId(tabStorage())
  const connection = createConnection({
    origin: '',
    persistence,
    tabId: () => tabId,
    locale: currentLocale,
    entry: () => {
      const { ref_code, utm_source } = entryParams()
      return { ...(ref_code && { ref_code }), ...(utm_source && { signature: utm_source }) }
    },
  })
  return { connection, persistence, report: (error) => report(error, connection) }
}
