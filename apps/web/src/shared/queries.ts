import { QueryClient, QueryObserver, queryOptions, useQuery } from '@tanstack/react-query'
import { RefusedError } from '@duet/client'
import type { Answer } from '@duet/protocol'
import { numberStyle } from './amounts.ts'
import { currentLocale } from './i18n.ts'
import { useAppServices, type AppServices } from './app-services.tsx'

export function createQueryClient(): QueryClient {
  // Events keep fetched data current, not time: it stays valid until an event or a reset invalidates it.
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        retry: isWorthRetry,
        refetchOnWindowFocus: false,
      },
    },
  })
}

/** Once, unless it would ask for the captcha that was just given up. */
function isWorthRetry(failures: number, error: Error): boolean {
  return failures < 1 && !(error instanceof RefusedError && error.refusal === 'captcha_required')
}

export const SYSTEM_KEY = ['system'] as const
const SETTINGS_KEY = ['settings'] as const

/** Women online, the enabled features, the demo's users. Undefined until it is fetched. */
export function useSystem(): Answer<'GET system'> | undefined {
  const { connection } = useAppServices()
  return useQuery({ queryKey: SYSTEM_KEY, queryFn: () => connection.system() }).data
}

/** Whether this installation sends mails. True until it is known. */
export function useSendsMail(): boolean {
  return useSystem()?.features.mail.on !== false
}

/** Whether a guy can get minutes here: from the shop, or from a demo installation without a shop. False until it is known. */
export function useCanAddMinutes(): boolean {
  const system = useSystem()
  return system?.demo !== undefined || system?.features.payments.on === true
}

/** Whether Premium can be bought here. False until it is known. */
export function useSellsPremium(): boolean {
  return useSystem()?.features.payments.on === true
}

function settingsQuery({ http }: Pick<AppServices['connection'], 'http'>) {
  return queryOptions({
    queryKey: SETTINGS_KEY,
    queryFn: () => http.get('getSettings', { locale: currentLocale() }),
  })
}

/** Prices, quotas and phrases as the operator set them. Undefined until they are fetched. */
export function useSettings(): Answer<'GET getSettings'> | undefined {
  const { connection } = useAppServices()
  return useQuery(settingsQuery(connection)).data
}

/** Fetches the settings for the life of the page and formats every amount in the style of the settings. */
export function followNumberStyle(
  queries: QueryClient,
  connection: Pick<AppServices['connection'], 'http'>,
): void {
  new QueryObserver(queries, settingsQuery(connection)).subscribe(({ data }) => {
    if (data) numberStyle.set(data.number_style)
  })
}
