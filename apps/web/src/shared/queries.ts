import { QueryClient, useQuery } from '@tanstack/react-query'
import type { Answer } from '@duet/protocol'
import { currentLocale } from './i18n.ts'
import { useAppServices } from './app-services.tsx'

export function createQueryClient(): QueryClient {
  // Freshness comes from events, not from time: what was fetched is right until an event or a reset says otherwise.
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: Number.POSITIVE_INFINITY, retry: 1, refetchOnWindowFocus: false },
    },
  })
}

export const system_key = ['system'] as const
export const settings_key = ['settings'] as const

/** What is here: women online, which features are on, the demo's cast. Undefined until it is known. */
export function useSystem(): Answer<'GET system'> | undefined {
  const { connection } = useAppServices()
  return useQuery({ queryKey: system_key, queryFn: () => connection.http.get('system') }).data
}

/** Prices, quotas and phrases as the operator set them. Undefined until they are known. */
export function useSettings(): Answer<'GET getSettings'> | undefined {
  const { connection } = useAppServices()
  return useQuery({
    queryKey: settings_key,
    queryFn: () => connection.http.get('getSettings', { locale: currentLocale() }),
  }).data
}
