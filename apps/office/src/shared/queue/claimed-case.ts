import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { QueueName } from '@duet/protocol'
import { api, isRefused } from '../api.ts'
import { useAtEnd } from '../use-at-end.ts'
import type { QueueShape } from './queue-shape.ts'

/** `open`: also where another press came first, which opens its own case. `taken`: another case can be tried. */
type Outcome = 'open' | 'taken' | 'failed'

/** The case that this page has claimed, as it was when it was claimed, and why the last claim failed. */
export function useClaimedCase<Item>({ queue, idOf }: Pick<QueueShape<Item>, 'queue' | 'idOf'>) {
  const queries = useQueryClient()
  const claims = useClaims(queue)
  const [item, setItem] = useState<Item>()
  const [error, setError] = useState<unknown>(null)
  const take = async (one: Item, isTakenOver = false): Promise<Outcome> => {
    try {
      if (!(await claims.take(idOf(one), isTakenOver))) return 'open'
      setError(null)
      setItem(one)
      return 'open'
    } catch (refused) {
      setError(refused)
      if (isRefused(refused, 'claimed', 'not_found'))
        await queries.invalidateQueries({ queryKey: ['queue', queue] })
      return isRefused(refused, 'claimed', 'not_found', 'role_forbidden') ? 'taken' : 'failed'
    }
  }
  return {
    item,
    error,
    take,
    setError,
    /** Gives the case back to the queue. */
    drop: () => {
      setItem(undefined)
      claims.release()
    },
    /** The case is decided: its claim ends with it. */
    forget: () => {
      setItem(undefined)
      claims.forget()
    },
  }
}

/** The claim of this page: at most one, and none is left behind by a slow answer, a closed tab or another page. */
function useClaims(queue: QueueName) {
  const wish = useRef(0)
  const held = useRef<string>(undefined)
  const give = (id: string) =>
    void api.post('v2/manager/release', { queue, id }).catch(() => undefined)
  const release = () => {
    wish.current += 1
    if (held.current !== undefined) give(held.current)
    held.current = undefined
  }
  useAtEnd(release)
  return {
    release,
    forget: () => void (held.current = undefined),
    /** False if another press came first: the claim is given back then. Fails as the server refuses. */
    async take(id: string, take_over: boolean): Promise<boolean> {
      release()
      const own = wish.current
      await api.post('v2/manager/claim', { queue, id, take_over })
      if (own !== wish.current) {
        give(id)
        return false
      }
      held.current = id
      return true
    },
  }
}
