import { claimTabId, createConnection, type Persistence } from '@duet/client'
import { currentLocale } from '../../shared/i18n.ts'
import { entryFields, forgetEntryFields } from '../../shared/navigation/entry-params.ts'
import { createQueryClient } from '../../shared/queries.ts'
import { bootstrap } from '../bootstrap.ts'
import { DialogHost } from '../dialogs/dialog-host.tsx'
import { report } from '../errors/report.ts'
import { tabStorage } from '../local-storage.ts'
import { MemberHome } from '../pages/member-home.tsx'
import { FeaturePages } from '../routes.tsx'
import { LandingFigures } from './landing-figures.tsx'
import type { PageRuntime } from './runtime-context.ts'

/** Creates the runtime of the page. Once started, the runtime is connected to the server that the page came from. */
export function openRuntime(persistence: Persistence): PageRuntime {
  const queries = createQueryClient()
  let tabId: Promise<string> | undefined
  const connection = createConnection({
    origin: '',
    persistence,
    tabId: () => (tabId ??= claimTabId(tabStorage())),
    locale: currentLocale,
    entry: () => entryFields(persistence),
    solveCaptcha: async (challenge, call) => {
      const { solveCaptcha } = await import('../system/captcha/solve-captcha.ts')
      return solveCaptcha(challenge, call)
    },
    onEntryRefused: () => forgetEntryFields(persistence),
  })
  const reportError = (error: unknown) => report(error, connection)
  return {
    connection,
    queries,
    report: reportError,
    start: () => bootstrap({ connection, persistence, queries, report: reportError }),
    screens: { FeaturePages, MemberHome, LandingFigures, DialogHost },
  }
}
