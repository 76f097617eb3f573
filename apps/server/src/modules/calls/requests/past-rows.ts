import { limits, type Query } from '@duet/protocol'
import { offsetAndLimit } from '../../../lib/paging/pagination.ts'
import type { App } from '../../../core/app.ts'
import { readTogether } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import { refuse } from '../../../lib/refusal.ts'
import { type RingInVain, ringsInVain } from '../../matchmaking/index.ts'
import { closedCalls, type ClearedHistory } from '../queries.ts'
import type { Call, Side } from '../rules/call.ts'

export type PastRow = Call | RingInVain

export function isCall(row: PastRow): row is Call {
  return 'session_id' in row
}

/** The last call and the last ring that were shown. Each of the two lists goes on after its own. */
interface Place {
  readonly call?: Pick<Call, 'session_id'>
  readonly ring?: Pick<RingInVain, 'opened_at' | 'pair_id'>
}

interface PastRows {
  /** One more than the page has, if there is a next page. */
  readonly rows: PastRow[]
  /** The place of the next page. */
  readonly after?: string
}

/** Calls, and rings that came to no call, in the order of their beginnings. */
export async function readPastRows(
  { db }: App,
  {
    cleared,
    ...user
  }: { readonly user_id: UserId; readonly side: Side; readonly cleared: ClearedHistory },
  query: Query<'GET history_chats'>,
): Promise<PastRows> {
  const place = query.after === undefined ? {} : parsePlace(query.after)
  const asked = offsetAndLimit(query)
  const { offset } = asked
  const limit = Math.min(offset + asked.limit, limits.numbered_rows)
  if (offset >= limit) return { rows: [] }
  const [calls, rings] = await readTogether(db, [
    () => closedCalls(db, { ...user, above: cleared.session_id, below: place.call }, limit),
    () => ringsInVain(db, { ...user, after: cleared.at, before: place.ring }, limit),
  ])
  const merged = merge(calls, rings).slice(0, limit)
  const rows = merged.slice(offset)
  if (rows.length <= query['per-page']) return { rows }
  const shown = merged.slice(0, -1)
  return {
    rows,
    after: formatPlace({
      ...place,
      ...readPlace('call', shown.findLast(isCall)),
      ...readPlace(
        'ring',
        shown.findLast((row) => !isCall(row)),
      ),
    }),
  }
}

function readPlace<Kind extends string, Row>(kind: Kind, row: Row | undefined) {
  return row && ({ [kind]: row } as Record<Kind, Row>)
}

/** The rows of both lists, the later one first; each list keeps its own order, on which the places depend. */
function merge(calls: readonly Call[], rings: readonly RingInVain[]): PastRow[] {
  const merged: PastRow[] = []
  let ring = 0
  for (const call of calls) {
    while (ring < rings.length && isLater(rings[ring]!, call)) merged.push(rings[ring++]!)
    merged.push(call)
  }
  return [...merged, ...rings.slice(ring)]
}

function isLater(one: PastRow, other: PastRow): boolean {
  return Temporal.Instant.compare(one.opened_at, other.opened_at) > 0
}

const PLACE =
  /^(?<session>\d{1,15})?_(?:(?<time>\d{1,19})_(?<pair>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))?$/

function formatPlace({ call, ring }: Place): string {
  return `${call?.session_id ?? ''}_${ring ? `${ring.opened_at.epochNanoseconds}_${ring.pair_id}` : ''}`
}

/** Refuses invalid: the place was made elsewhere. */
export function parsePlace(after: string): Place {
  const groups = PLACE.exec(after)?.groups
  if (!groups)
    refuse('invalid', { fields: [{ path: 'after', message: 'Not a place of this list' }] })
  const { session, time, pair } = groups
  return {
    ...(session !== undefined && { call: { session_id: Number(session) } }),
    ...(time !== undefined && {
      ring: {
        opened_at: new Temporal.Instant(BigInt(time)),
        pair_id: pair as RingInVain['pair_id'],
      },
    }),
  }
}
