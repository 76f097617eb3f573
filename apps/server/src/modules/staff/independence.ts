import type { Tx } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { Staff } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'

/** After a setup by a link, the maker of the link could for a while be the one who has used it. */
const LINK_HOURS = 24

/**
 * Call it where a second person allows what a first one has asked for or done. For a day after a setup the member counts as
 * one person with the maker of the link, who can have used it, and with all who stood behind the maker then; in this day the
 * mails about it are read. So two members with the same one behind them are no two persons. `askedBy` is a mail address or an
 * actor as bulk acts name it; the shell has no member. Refuses role_forbidden.
 */
export async function requireIndependent(tx: Tx, staff: Staff, askedBy: string): Promise<void> {
  const members = await readSetups(tx)
  const asker = members.find(
    ({ id, email }) => email === askedBy.toLowerCase() || `staff ${id}` === askedBy,
  )
  if (!asker) return
  const since = tx.now.subtract({ hours: LINK_HOURS })
  const own = personsBehind(members, staff.id, since)
  if (personsBehind(members, asker.id, since).some((id) => own.includes(id)))
    refuse('role_forbidden')
}

/** The maker of a link that is used now, and all who may be that maker. */
export async function behindMaker(tx: Tx, made_by: number | null): Promise<readonly number[]> {
  if (made_by === null) return []
  return personsBehind(await readSetups(tx), made_by, tx.now.subtract({ hours: LINK_HOURS }))
}

type Setup = Awaited<ReturnType<typeof readSetups>>[number]

function readSetups(db: Db) {
  return db
    .selectFrom('staff_members')
    .select(['id', 'email', 'set_up_behind', 'set_up_at'])
    .execute()
}

function personsBehind(
  members: readonly Setup[],
  member: number,
  since: Temporal.Instant,
): readonly number[] {
  const setup = members.find(({ id }) => id === member)
  if (!setup?.set_up_at || Temporal.Instant.compare(setup.set_up_at, since) <= 0) return [member]
  return [...new Set([member, ...setup.set_up_behind])]
}
