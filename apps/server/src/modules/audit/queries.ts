import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { inKeys } from '../../platform/database/statements/batched-read.ts'
import { type Entry, type Fault, faultsIn, FIRST_HASH, type CaseLoad } from './chain.ts'
import { COLUMNS } from './store.ts'

export const PAGE_ROWS = 1_000
/** A broken chain may have a fault in each row. */
const FAULTS_MAX = 100

export interface SearchedEntries {
  /** Only entries older than this one. */
  readonly before?: number | undefined
  readonly staff_id?: number | undefined
  readonly operator?: string | undefined
  readonly act?: string | undefined
  readonly user_id?: number | undefined
  readonly from?: Temporal.Instant | undefined
  readonly to?: Temporal.Instant | undefined
}

/** The newest first. */
export function readEntries(db: Db, searched: SearchedEntries, limit: number): Promise<Entry[]> {
  return searchEntries(db, searched).orderBy('entry_id', 'desc').limit(limit).execute()
}

function searchEntries(
  db: Db,
  { before, staff_id, operator, act, user_id, from, to }: SearchedEntries,
) {
  return db
    .selectFrom('audit_entries')
    .select(COLUMNS)
    .$if(before !== undefined, (query) => query.where('entry_id', '<', before!))
    .$if(staff_id !== undefined, (query) => query.where('staff_id', '=', staff_id!))
    .$if(operator !== undefined, (query) => query.where('operator', '=', operator!))
    .$if(act !== undefined, (query) => query.where('act', '=', act!))
    .$if(user_id !== undefined, (query) => query.where('user_id', '=', user_id!))
    .$if(from !== undefined, (query) => query.where('at', '>=', from!))
    .$if(to !== undefined, (query) => query.where('at', '<', to!))
}

/** Acts of a person since this moment, the newest first. Other acts of the time do not count against the limit. */
export function readActs(
  db: Db,
  { staff_id, acts, from }: { staff_id: number; acts: readonly string[]; from: Temporal.Instant },
  limit: number,
): Promise<Pick<Entry, 'at' | 'act' | 'user_id' | 'reason' | 'facts'>[]> {
  return db
    .selectFrom('audit_entries')
    .select(['at', 'act', 'user_id', 'reason', 'facts'])
    .where('staff_id', '=', staff_id)
    .where('act', '=', inKeys(acts))
    .where('at', '>=', from)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
}

/** The decisions of a person since this moment, the newest first. Other acts of the time do not count against the limit. */
export function readDecisions(
  db: Db,
  { staff_id, from }: { staff_id: number; from: Temporal.Instant },
  limit: number,
): Promise<{ at: Temporal.Instant; load: CaseLoad }[]> {
  const load = sql<CaseLoad>`facts ->> 'load'`
  return db
    .selectFrom('audit_entries')
    .select(['at', load.as('load')])
    .where('staff_id', '=', staff_id)
    .where('at', '>=', from)
    .where(load, 'is not', null)
    .orderBy('at', 'desc')
    .limit(limit)
    .execute()
}

/** The chain from its first entry, in pages: the whole chain, or the entries that are searched. */
export async function* allEntries(db: Db, searched: SearchedEntries = {}): AsyncGenerator<Entry> {
  for (let last: number | undefined = undefined; ;) {
    const page: Entry[] = await searchEntries(db, searched)
      .$if(last !== undefined, (query) => query.where('entry_id', '>', last!))
      .orderBy('entry_id')
      .limit(PAGE_ROWS)
      .execute()
    yield* page
    if (page.length < PAGE_ROWS) return
    last = page.at(-1)!.entry_id
  }
}

export function exportedLine(entry: Entry): string {
  return `${JSON.stringify({ ...entry, at: entry.at.toString() })}\n`
}

export interface Verified {
  readonly ok: boolean
  readonly entries: number
  /** The hash of the last entry: noted elsewhere, it shows later that nothing was cut off or written again. */
  readonly head: string
  /** The first faults. */
  readonly faults: readonly Fault[]
}

/** `noted`: a head of an earlier check, which must still be in the chain. */
export async function verifyChain(
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  noted?: string,
): Promise<Verified & { readonly has_noted_head?: boolean }> {
  const faults: Fault[] = []
  let last = { entry_id: 0, hash: FIRST_HASH }
  let count = 0
  let hasNoted = noted === undefined || noted === FIRST_HASH
  for await (const entry of entries) {
    if (faults.length < FAULTS_MAX) faults.push(...faultsIn(entry, last))
    count += 1
    last = entry
    hasNoted ||= entry.hash === noted
  }
  return {
    ok: faults.length === 0 && hasNoted,
    entries: count,
    head: last.hash,
    faults,
    ...(noted !== undefined && { has_noted_head: hasNoted }),
  }
}
