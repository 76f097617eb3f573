import { QueryClient, useQuery } from '@tanstack/react-query'
import type { Answer } from '@duet/protocol'
import { currentLocale } from './i18n.ts'
import { useAppServices } from './app-services.tsx'

export function createQueryClient(): QueryClient {
  // Events keep fetched data current, not time: it stays valid until an event or a reset invalidates it.
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: Number.POSITIVE_INFINITY, retry: 1, refetchOnWindowFocus: false },
    },
  })
}

export const SYSTEM_KEY = ['system'] as const
const SETTINGS_KEY = ['settings'] as const

/** Women online, the enabled features, the demo's users. Undefined until it is fetched. */
export function useSystem(): Answer<'GET system'> | undefined {
  const { connection } = useAppServices()
  return useQuery({ queryKey: SYSTEM_KEY, queryFn: () => connection.system() }).data
}

/** Prices, quotas and phrases as the operator set them. Undefined until they are fetched. */
export function useSettings(): Answer<'GET getSettings'> | undefined {
  const { connection } = useAppServices()
  return useQuery({
    queryKey: SETTINGS_KEY,
    queryFn: () => connection.http.get('getSettings', { locale: currentLocale() }),
  }).data
}
