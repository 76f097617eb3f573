import { queryOptions, useQuery } from '@tanstack/react-query'
import { currentLocale } from '../../shared/i18n.ts'
import { type AppServices, useAppServices } from '../../shared/app-services.tsx'

/** The gifts on sale, in the language of the page. */
export function giftsQuery({ http }: Pick<AppServices['connection'], 'http'>) {
  return queryOptions({
    queryKey: ['gifts', currentLocale()],
    queryFn: () => http.get('gifts', { lang: currentLocale() }),
  })
}

export function useGifts() {
  const { connection } = useAppServices()
  return useQuery(giftsQuery(connection))
}
