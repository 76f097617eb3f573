import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Order } from '@duet/protocol/contracts/billing.ts'
import { useAppServices, type AppServices } from '../../shared/app-services.tsx'

const ASK_EVERY_MS = 5_000

function orderQuery({ http }: Pick<AppServices['connection'], 'http'>, order_id: number) {
  return queryOptions({
    queryKey: ['order', order_id],
    queryFn: () => http.get('orders/{id}', { id: order_id }),
  })
}

/** An own order. While it waits, the server is asked again and again, and at once when the page is shown again. */
export function useOrder(order_id: number) {
  const { connection } = useAppServices()
  return useQuery({
    ...orderQuery(connection, order_id),
    enabled: order_id > 0,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    refetchInterval: ({ state }) => (isOpen(state.data) ? ASK_EVERY_MS : false),
  })
}

function isOpen(order: Order | undefined): boolean {
  return order === undefined || order.status === 'waiting' || order.status === 'checking'
}
