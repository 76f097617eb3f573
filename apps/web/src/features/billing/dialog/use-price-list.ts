import { useQuery } from '@tanstack/react-query'
import { useAppServices } from '../../../shared/app-services.tsx'

/** A sale ends, and prices change, while the page stays open. */
const FRESH_MS = 60_000

export function usePriceList() {
  const { connection } = useAppServices()
  return useQuery({
    queryKey: ['packages'],
    queryFn: () => connection.http.get('packages', {}),
    staleTime: FRESH_MS,
  })
}
