/** One look of a member of staff at a user. `item`: the dialog, document or case that was looked at. */
export interface StaffLook {
  readonly at_ms: number
  readonly item: string
}

/** The most different items within one window. The looks come in the order of time. */
export function mostItems(looks: readonly StaffLook[], windowMs: number): number {
  const counts = new Map<string, number>()
  let most = 0
  let first = 0
  for (const { at_ms, item } of looks) {
    for (; looks[first]!.at_ms <= at_ms - windowMs; first += 1) {
      const former = looks[first]!.item
      const left = counts.get(former)! - 1
      if (left === 0) counts.delete(former)
      else counts.set(former, left)
    }
    counts.set(item, (counts.get(item) ?? 0) + 1)
    most = Math.max(most, counts.size)
  }
  return most
}
