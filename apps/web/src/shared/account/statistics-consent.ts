import type { Persistence } from '@duet/client'
import { createStore, useStore } from '../observable-store.ts'
import { useSystem } from '../queries.ts'
import { t } from '../i18n.ts'

const NAMES = { yandex: 'Yandex Metrica', google: 'Google Analytics' }

/** Undefined: the user has not chosen. */
export const statisticsConsent = createStore<boolean | undefined>(undefined)
let persistence: Persistence | undefined

/** Sets where the choice is stored. A choice in another tab counts here at once. */
export function storeStatisticsChoiceIn(store: Persistence): void {
  persistence = store
  readChoice()
  addEventListener('storage', readChoice)
}

function readChoice(): void {
  statisticsConsent.set(persistence?.get('statistics') ?? browserChoice())
}

/** A browser that asks every site not to share data has answered. */
function browserChoice(): boolean | undefined {
  return (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl ? false : undefined
}

export function chooseStatistics(permitted: boolean): void {
  persistence?.set('statistics', permitted)
  statisticsConsent.set(permitted)
}

interface StatisticsChoice {
  /** The names of the services, as a part of a sentence. */
  readonly names: string
  readonly permitted: boolean | undefined
}

/** The choice of this browser. Undefined where the installation uses no service of statistics, so that nothing is asked. */
export function useStatisticsChoice(): StatisticsChoice | undefined {
  const permitted = useStore(statisticsConsent)
  const [first, second] = useSystem()?.features.analytics.counters ?? []
  if (!first) return undefined
  const name = NAMES[first.service]
  const names = second ? t('statistics.names', { one: name, other: NAMES[second.service] }) : name
  return { names, permitted }
}
