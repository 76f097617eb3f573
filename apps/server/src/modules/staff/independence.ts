import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { Staff } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'

/** After a setup by a link, the maker of the link could for a while be the one who has used it. */
const LINK_HOURS = 24
const STEPS_MAX = 100

/**
 * Call it where a second person allows what a first one has asked for or done. For a day after a setup the member and the
 * maker of the link count as one person, and so do two members with links of the same maker: the maker can have used them, and
 * in this day the mails about it are read. `askedBy` is a mail address or an actor as bulk acts name it; the shell has no
 * member. Refuses role_forbidden.
 */
export async function requireIndependent(tx: Tx, staff: Staff, askedBy: string): Promise<void> {
  const members = await readSetups(tx)
  const asker = members.find(
    ({ id, email }) => email === askedBy.toLowerCase() || `staff ${id}` === askedBy,
  )
  if (!asker) return
  const since = tx.now.subtract({ hours: LINK_HOURS })
  const first = (id: number) => firstMaker(members, id, since)
  if (first(asker.id) === first(staff.id)) refuse('role_forbidden')
}

type Setup = Awaited<ReturnType<typeof readSetups>>[number]

function readSetups(db: Db) {
  return db.selectFrom('staff_members').select(['id', 'email', 'set_up_by', 'set_up_at']).execute()
}

/** The member behind a chain of fresh links. Of a circle it is the one with the smallest number. */
function firstMaker(members: readonly Setup[], id: number, since: Temporal.Instant): number {
  const chain: number[] = []
  let next: number | null = id
  while (next !== null && chain.length < STEPS_MAX) {
    if (chain.includes(next)) return Math.min(...chain.slice(chain.indexOf(next)))
    chain.push(next)
    next = makerSince(members, next, since)
  }
  return chain.at(-1)!
}

function makerSince(members: readonly Setup[], of: number, since: Temporal.Instant) {
  const setup = members.find(({ id }) => id === of)
  if (!setup?.set_up_at || Temporal.Instant.compare(setup.set_up_at, since) <= 0) return null
  return setup.set_up_by
}
