import { useSearchParams } from 'react-router'
import { parseId } from '@duet/protocol/kernel/parse-id.ts'
import { wallFilters, wallOrders } from '@duet/protocol/kernel/rule-names.ts'

type Part = 'show' | 'order' | 'find' | 'view' | 'call'

/** The filters, the order, the search, the form and the open call: all in the address, so that a link and a reload keep them. */
export function useWallAddress() {
  const [params, setParams] = useSearchParams()
  return {
    show: wallFilters.find((one) => one === params.get('show')) ?? 'all',
    order: wallOrders.find((one) => one === params.get('order')) ?? 'risk',
    find: params.get('find') ?? '',
    isList: params.get('view') === 'list',
    opened: parseId(params.get('call') ?? ''),
    /** Undefined: the part has its usual value. */
    set(part: Part, value: string | undefined) {
      // The page renders later than the address changes, so two quick changes both count.
      const next = new URLSearchParams(location.search)
      if (value === undefined || value === '') next.delete(part)
      else next.set(part, value)
      setParams(next, { replace: part !== 'call' || params.has('call') })
    },
  }
}

export type WallAddress = ReturnType<typeof useWallAddress>
