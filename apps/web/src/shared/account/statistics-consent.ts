import type { Persistence } from '@duet/client'
import { createStore } from '../observable-store.ts'

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
