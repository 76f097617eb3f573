import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useStaff } from '../session.tsx'
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
  const [params, setParams] = useSearchParams()
  const { item, error, clearError, take, drop, forget } = useClaimedCase(shape)
  const wanted = params.get(CASE) ?? undefined
  const opened = item && idOf(item)
  const shown = items.find((one) => idOf(one) === marked) ?? items[0]
  const show = (id: string | undefined, replace = true) =>
    setParams((before) => withCase(before, id), { replace })
  const close = () => show(undefined)
  /** The address is the wish: a press, Back, a reload and a link all change it. */
  const follow = async () => {
    if (!isListed || wanted === latest.current.opened) return
    drop()
    const listed = items.find((one) => idOf(one) === wanted)
    setMissing(false)
    const next = listed ?? (wanted && (await findBelow(shape, wanted)))
    if (wanted !== latest.current.wanted) return
    if (next && (await take(next)) !== 'open') close()
    setMissing(wanted !== undefined && !next)
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
  /** After a decision the next free case opens: the list may not yet know that another person has it. */
  const decided = async () => {
    const free = nextCases(items, (one) => idOf(one) === opened).filter((one) => {
      const has = claimOf(one)
      return has === null || has.staff_id === ownId
    })
    forget()
    void queries.invalidateQueries({ queryKey: ['queues'] })
    for (const next of free.slice(0, CLAIMS_MAX)) if ((await claim(next, false)) !== 'taken') return
    close()
    clearError()
  }
  const current = items.find((one) => idOf(one) === opened) ?? item
  const acts = { select, open, takeOver, close, decided }
  return { selected: shown && idOf(shown), item: current, error, isMissing, ...acts }
}

/** A case that a link names and that is further down than the list shows. */
async function findBelow<Item>(
  { list, idOf }: QueueShape<Item>,
  wanted: string,
): Promise<Item | undefined> {
  let last: Item | undefined
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { items, next } = await list({ page, last })
    const found = items.find((item) => idOf(item) === wanted)
    if (found || !next) return found
    last = items.at(-1)
  }
  return undefined
}

function withCase(params: URLSearchParams, id: string | undefined): URLSearchParams {
  const next = new URLSearchParams(params)
  if (id === undefined) next.delete(CASE)
  else next.set(CASE, id)
  return next
}

/** The cases below the decided one, then those above it from the nearest on. */
function nextCases<Item>(items: readonly Item[], isDecided: (item: Item) => boolean): Item[] {
  const at = items.findIndex(isDecided)
  return [...items.slice(at + 1), ...items.slice(0, Math.max(0, at)).toReversed()]
}
