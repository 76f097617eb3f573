import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useStaff } from '../session.tsx'
import { useFilters } from '../use-filters.ts'
import { useClaimedCase } from './claimed-case.ts'
import type { QueueShape } from './queue-shape.ts'

/** The cases that are tried after a decision while others take them. */
const CLAIMS_MAX = 5
/** The pages of a queue in which the case of a link is looked for. */
const PAGES_MAX = 20
/** The open case in the address, so that Back, a reload and a link work. */
const CASE = 'case'

/**
 * The case that is marked in the list, and the one that is claimed and open. The open one stays as it was when it was
 * opened, also if the list has it no more.
 */
export function useOpenCase<Item>(
  shape: QueueShape<Item>,
  items: readonly Item[],
  isListed: boolean,
) {
  const { idOf, claimOf } = shape
  const queries = useQueryClient()
  const { id: ownId } = useStaff()
  const [marked, select] = useState<string>()
  const [isMissing, setMissing] = useState(false)
  const { wanted, show, close } = useWanted()
  const { item, error, setError, take, drop, forget } = useClaimedCase(shape)
  const opened = item && idOf(item)
  const shown = items.find((one) => idOf(one) === marked) ?? items[0]
  /** The address is the wish: a press, Back, a reload and a link all change it. */
  const follow = async () => {
    if (!isListed || wanted === latest.current.opened) return
    drop()
    setMissing(false)
    if (wanted === undefined) return
    const next = await findCase(shape, items, wanted).catch(setError)
    if (wanted !== latest.current.wanted) return
    if (next && (await take(next)) !== 'open') close()
    setMissing(!next)
  }
  const latest = useRef({ opened, follow, wanted })
  latest.current = { opened, follow, wanted }
  useEffect(() => {
    void latest.current.follow()
  }, [wanted, isListed])
  const claim = async (one: Item, isTakenOver: boolean) => {
    select(idOf(one))
    const outcome = await take(one, isTakenOver)
    if (outcome !== 'open') return outcome
    latest.current.opened = idOf(one)
    show(idOf(one))
    return outcome
  }
  const open = (id: string) => {
    select(id)
    if (id !== wanted) show(id, wanted !== undefined)
  }
  const takeOver = () => shown && claim(shown, true)
  /**
   * After the decision of the open case the next free one opens: the list may not yet know that another person has it. A
   * late answer about a case that was left changes nothing here.
   */
  const decided = async (id: string) => {
    void queries.invalidateQueries({ queryKey: ['queues'] })
    if (id !== latest.current.opened) return void queries.invalidateQueries({ queryKey: ['queue'] })
    const free = nextCases(items, (one) => idOf(one) === id).filter((one) =>
      [undefined, ownId].includes(claimOf(one)?.staff_id),
    )
    forget()
    for (const next of free.slice(0, CLAIMS_MAX)) if ((await claim(next, false)) !== 'taken') return
    close()
    setError(null)
  }
  const acts = { select, open, takeOver, close, decided }
  const current = items.find((one) => idOf(one) === opened) ?? item
  const faults = { error, isMissing: isMissing && error === null }
  return { selected: shown && idOf(shown), item: current, ...faults, ...acts }
}

/** The case that the address names. */
function useWanted() {
  const { value, filter } = useFilters()
  const show = (id: string, replace = true) => filter(CASE, id, replace)
  return { wanted: value(CASE) || undefined, show, close: () => show('') }
}

/** A case that a link names, also one that is further down than the list shows. */
async function findCase<Item>(
  { list, idOf }: QueueShape<Item>,
  items: readonly Item[],
  wanted: string,
): Promise<Item | undefined> {
  const listed = items.find((one) => idOf(one) === wanted)
  if (listed) return listed
  let last: Item | undefined
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const further = await list({ page, last })
    const found = further.items.find((one) => idOf(one) === wanted)
    if (found || !further.next) return found
    last = further.items.at(-1)
  }
  return undefined
}

/** The cases below the decided one, then those above it from the nearest on. */
function nextCases<Item>(items: readonly Item[], isDecided: (item: Item) => boolean): Item[] {
  const at = items.findIndex(isDecided)
  return [...items.slice(at + 1), ...items.slice(0, Math.max(0, at)).toReversed()]
}
