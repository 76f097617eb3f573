import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { api, isRefused } from '../api.ts'
import { useStaff } from '../session.tsx'
import type { QueueShape } from './queue-page.tsx'

/** The cases that are tried after a decision while others take them. */
const CLAIMS_MAX = 5
/** The open case in the address, so that Back, a reload and a link work. */
const CASE = 'case'

/**
 * The case that is marked in the list, and the one that is claimed and open. The open one stays as it was when it was
 * opened, also if the list has it no more.
 */
export function useOpenCase<Item>(
  { queue, idOf, claimOf }: QueueShape<Item>,
  items: readonly Item[],
  isListed: boolean,
) {
  const queries = useQueryClient()
  const { id: ownId } = useStaff()
  const [marked, select] = useState<string>()
  const [item, setItem] = useState<Item>()
  const [error, setError] = useState<unknown>(null)
  const [params, setParams] = useSearchParams()
  const wanted = params.get(CASE) ?? undefined
  const claims = useClaims(queue)
  const shown = items.find((one) => idOf(one) === marked) ?? items[0]
  const show = (id: string | undefined, replace: boolean) =>
    setParams(id === undefined ? {} : { [CASE]: id }, { replace })
  /** Whether the next case need not be tried: this one is open, or another press is newer. */
  const claim = async (one: Item, isTakenOver = false) => {
    const id = idOf(one)
    select(id)
    try {
      if (!(await claims.take(id, isTakenOver))) return true
      setError(null)
      setItem(one)
      return true
    } catch (refused) {
      setError(refused)
      show(undefined, true)
      if (isRefused(refused, 'claimed', 'not_found'))
        await queries.invalidateQueries({ queryKey: ['queue', queue] })
      return !isRefused(refused, 'claimed', 'not_found', 'role_forbidden')
    }
  }
  const opened = item && idOf(item)
  const latest = useRef({ opened, claim })
  latest.current = { opened, claim }
  // The address is the wish: a press, Back, a reload and a link all change it.
  useEffect(() => {
    if (!isListed || wanted === latest.current.opened) return
    const next = items.find((one) => idOf(one) === wanted)
    setItem(undefined)
    claims.release()
    if (next) void latest.current.claim(next)
  }, [wanted, isListed])
  const open = (id: string) => {
    select(id)
    if (id !== wanted) show(id, wanted !== undefined)
  }
  const close = () => show(undefined, true)
  const takeOver = async () => {
    const id = shown && idOf(shown)
    if (!shown || !(await claim(shown, true))) return
    latest.current.opened = id
    show(id, true)
  }
  /** After a decision the next free case opens: the list may not yet know that another person has it. */
  const decided = async () => {
    const free = nextCases(items, (one) => idOf(one) === opened).filter((one) => {
      const has = claimOf(one)
      return has === null || has.staff_id === ownId
    })
    setItem(undefined)
    claims.forget()
    void queries.invalidateQueries({ queryKey: ['queues'] })
    for (const next of free.slice(0, CLAIMS_MAX)) {
      if (await claim(next)) {
        latest.current.opened = idOf(next)
        return show(idOf(next), true)
      }
    }
    close()
    if (free.length > 0) setError(null)
  }
  return {
    selected: shown && idOf(shown),
    item: items.find((one) => idOf(one) === opened) ?? item,
    ...{ error, select, open, takeOver, close, decided },
  }
}

/** The claim of this page: at most one, and none is left behind by a slow answer, a closed tab or another page. */
function useClaims(queue: string) {
  const wish = useRef(0)
  const held = useRef<string>(undefined)
  const give = (id: string) =>
    void api.post('v2/manager/release', { queue: queue as 'photos', id }).catch(() => undefined)
  const release = () => {
    wish.current += 1
    if (held.current !== undefined) give(held.current)
    held.current = undefined
  }
  const end = useRef(release)
  end.current = release
  useEffect(() => {
    const leave = () => end.current()
    addEventListener('pagehide', leave)
    return () => {
      removeEventListener('pagehide', leave)
      leave()
    }
  }, [])
  return {
    release,
    /** The case is decided: its claim ended with it. */
    forget: () => void (held.current = undefined),
    /** False if another press came first: the claim is given back then. Fails as the server refuses. */
    async take(id: string, take_over: boolean): Promise<boolean> {
      release()
      const own = wish.current
      await api.post('v2/manager/claim', { queue: queue as 'photos', id, take_over })
      if (own !== wish.current) {
        give(id)
        return false
      }
      held.current = id
      return true
    },
  }
}

/** The cases below the decided one, then those above it from the nearest on. */
function nextCases<Item>(items: readonly Item[], isDecided: (item: Item) => boolean): Item[] {
  const at = items.findIndex(isDecided)
  return [...items.slice(at + 1), ...items.slice(0, Math.max(0, at)).toReversed()]
}
