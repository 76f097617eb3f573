import { claimTabId, createConnection, memoryStore, type Persistence } from '@duet/client'
import { currentLocale } from '../shared/i18n.ts'
import { entryParams } from '../shared/entry-params.ts'
import type { AppServices } from '../shared/app-services.tsx'
import { report } from './errors/report.ts'

/** The line to the server that this page was loaded from. */
export function createServices(persistence: Persistence): AppServices {
  const tab_id = claimTabId(tabStore())
  const connection = createConnection({
    origin: '',
    persistence,
    tabId: () => tab_id,
    locale: currentLocale,
    entry: () => {
      const { ref_code, utm_source } = entryParams()
      return { ...(ref_code && { ref_code }), ...(utm_source && { signature: utm_source }) }
    },
  })
  return { connection, persistence, report: (error) => report(error, connection) }
}

function tabStore() {
  try {
    return sessionStorage
  } catch {
    return memoryStore()
  }
}
