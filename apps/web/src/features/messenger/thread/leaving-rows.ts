import { useCallback, useState } from 'react'
import { useReducedMotion } from '@duet/ui'
import type { ThreadItem } from './thread-items.ts'

/** The rows of a thread. Vanished rows stay until they have faded out. With reduced motion they disappear at once. */
export function useLeavingRows(items: readonly ThreadItem[]) {
  const isStill = useReducedMotion()
  const [held, setHeld] = useState({ items, rows: items })
  let { rows } = held
  if (held.items !== items) {
    rows = isStill ? items : withLeaving(held.rows, items)
    setHeld({ items, rows })
  }
  const onLeft = useCallback((key: string) => {
    setHeld((now) => ({ ...now, rows: now.rows.filter((row) => row.key !== key) }))
  }, [])
  return { rows, onLeft }
}

/** The new rows, and each vanished message behind the row that stood before it. */
export function withLeaving(
  before: readonly ThreadItem[],
  now: readonly ThreadItem[],
): readonly ThreadItem[] {
  const keys = new Set(now.map(({ key }) => key))
  const behind = new Map<string | undefined, ThreadItem[]>()
  let last: string | undefined
  for (const row of before) {
    if (keys.has(row.key)) last = row.key
    else if (row.kind === 'message' && row.message.vanish_at !== undefined)
      behind.set(last, [...(behind.get(last) ?? []), { ...row, is_leaving: true }])
  }
  if (behind.size === 0) return now
  const after = (key: string | undefined) => behind.get(key) ?? []
  return [...after(undefined), ...now.flatMap((row) => [row, ...after(row.key)])]
}
