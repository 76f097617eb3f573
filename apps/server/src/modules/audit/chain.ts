import { createHash } from 'node:crypto'

/** Small values that explain an act: ids, amounts, states. No secrets, and no text that users wrote. */
export type Facts = Readonly<Record<string, Fact>>
type Fact = string | number | boolean | null | readonly (string | number)[]

/** How hard the decision of a case is for the person who decides. */
export type CaseLoad = 'plain' | 'severe'

/** The part of an entry that its hash covers. */
export interface Hashed {
  readonly entry_id: number
  readonly at: Temporal.Instant
  readonly staff_id: number | null
  readonly operator: string | null
  readonly act: string
  readonly user_id: number | null
  readonly reason: string
  readonly facts: unknown
  readonly address: string | null
  readonly words: string | null
  readonly before: unknown
  readonly after: unknown
  readonly prev_hash: string
}

export interface Entry extends Hashed {
  readonly hash: string
}

/** The `prev_hash` of the first entry. */
export const FIRST_HASH = '0'.repeat(64)

/**
 * The same text for the same content: the database gives the keys of `facts` in an order of its own. Entries of the first
 * form, and those that say nothing more, are hashed without the later columns. The lists of both forms differ in length, so
 * that none has the text of the other.
 */
export function hashEntry(entry: Hashed): string {
  const { address, words, before, after } = entry
  const more = [address, words, inOrder(before), inOrder(after)]
  const content = JSON.stringify([
    entry.prev_hash,
    entry.entry_id,
    entry.at.toString(),
    entry.staff_id,
    entry.operator,
    entry.act,
    entry.user_id,
    entry.reason,
    inOrder(entry.facts),
    ...(more.every((value) => value === null) ? [] : more),
  ])
  return createHash('sha256').update(content).digest('hex')
}

/** The same content as PostgreSQL stores it: half of a surrogate pair becomes U+FFFD, also inside of lists and objects. */
export function storable<Content>(content: Content): Content
export function storable(content: unknown): unknown {
  if (typeof content === 'string') return content.toWellFormed()
  if (Array.isArray(content)) return content.map(storable)
  if (typeof content !== 'object' || content === null) return content
  return Object.fromEntries(
    Object.entries(content).map(([key, inner]) => [key.toWellFormed(), storable(inner)]),
  )
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries.map(([key, inner]) => [key, inOrder(inner)])
}

export interface Fault {
  readonly entry_id: number
  readonly fault: 'missing' | 'changed' | 'wrong_predecessor'
}

/** The faults of one entry that follows the entry `last`. */
export function faultsIn(entry: Entry, last: { entry_id: number; hash: string }): Fault[] {
  const { entry_id } = entry
  const faults: Fault[] = []
  if (entry_id !== last.entry_id + 1) faults.push({ entry_id: last.entry_id + 1, fault: 'missing' })
  else if (entry.prev_hash !== last.hash) faults.push({ entry_id, fault: 'wrong_predecessor' })
  if (hashEntry(entry) !== entry.hash) faults.push({ entry_id, fault: 'changed' })
  return faults
}
