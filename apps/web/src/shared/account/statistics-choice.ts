import { useEffect } from 'react'
import { useAppServices } from '../app-services.tsx'
import { t } from '../i18n.ts'
import { useStore } from '../observable-store.ts'
import { useSystem } from '../queries.ts'
import { statisticsConsent, storeStatisticsChoiceIn } from './statistics-consent.ts'

const NAMES = { yandex: 'Yandex Metrica', google: 'Google Analytics' }

interface StatisticsChoice {
  /** The names of the services, as a part of a sentence. */
  readonly names: string
  readonly permitted: boolean | undefined
}

/** The choice of this browser. Undefined where the installation uses no service of statistics, so that nothing is asked. */
export function useStatisticsChoice(): StatisticsChoice | undefined {
  const { persistence } = useAppServices()
  // The switch stands on pages without the part that asks.
  useEffect(() => storeStatisticsChoiceIn(persistence), [persistence])
  const permitted = useStore(statisticsConsent)
  const [first, second] = useSystem()?.features.analytics.counters ?? []
  if (!first) return undefined
  const name = NAMES[first.service]
  const names = second ? t('statistics.names', { one: name, other: NAMES[second.service] }) : name
  return { names, permitted }
}
