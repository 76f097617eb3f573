import { sql } from 'kysely'
import type { Permission } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import type { Member } from '../../core/viewer.ts'
import { permission } from '../../lib/refusal.ts'
import { setting } from '../settings/index.ts'
import { findWritingRefusal, writingFacts, type DialogRights } from './rules.ts'
import { firstWritingFacts } from './start-dialog.ts'

/** Whether a girl may write to each of these guys. None of them is blocked. One statement for any number of guys. */
export async function readWritePermissions(
  app: App,
  girl: Member,
  guyIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, Permission>> {
  const rows = await rightsOfGirl(app.db, girl.id, guyIds)
  const unansweredMax = setting(app, 'first_writes_unanswered')
  const byGuy = new Map(
    rows.map((row) => [row.guy_id, writingFacts(row, app.clock.now(), unansweredMax)]),
  )
  const toPermission = (id: UserId) =>
    permission(findWritingRefusal(byGuy.get(id) ?? firstWritingFacts(app, girl, false)))
  return new Map(guyIds.map((id) => [id, toPermission(id)]))
}

/** The rights of a girl in her dialogs with these guys. A guy without a dialog has no row. */
async function rightsOfGirl(
  db: Db,
  girl_id: UserId,
  guyIds: readonly UserId[],
): Promise<readonly (DialogRights & { readonly guy_id: UserId })[]> {
  const { rows } = await sql<DialogRights & { guy_id: UserId }>`
    select * from dialog_rights
    where girl_id = ${girl_id} and guy_id = any (${[...guyIds]}::bigint[]) and user_id = ${girl_id}`.execute(
    db,
  )
  return rows
}
