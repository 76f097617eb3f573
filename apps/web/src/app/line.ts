import { claimTabId, createConnection, memoryStore, type Persistence } from '@duet/client'
import { currentLocale } from '../lib/i18n.ts'
import { entryParams } from '../lib/entry-params.ts'
import type { Session } from '../lib/session.tsx'
import { report } from './trouble/report.ts'

/** The line to the server that this page was loaded from. */
export function createLine(persistence: Persistence): Session {
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
