import type { Answer, Body, Query } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { Guest, Member, Staff } from '../../../core/viewer.ts'
import { offsetAndLimit, paginate } from '../../../lib/paging/pagination.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { lockUser } from '../../identity/index.ts'
import { addNotice } from '../../notices/index.ts'
import {
  endClaim,
  ownAccount,
  readClaims,
  readDeskPeople,
  requireIndependent,
  requireOtherPerson,
} from '../../staff/index.ts'
import { deskStatement } from '../complaints/desk-queries.ts'
import { readStanding } from '../sanctions/standing-bans.ts'
import { takeBack } from '../sanctions/take-back.ts'
import { mayAppeal, shownAppeal } from './appeal-view.ts'
import {
  type AppealRow,
  closeAppeal,
  complaintsOfStatements,
  insertAppeal,
  lockAppeal,
  ownAppeals,
  readAppealQueue,
  statementById,
} from './appeal-store.ts'

/** POST appeals. Repeating it returns the first appeal. Refuses not_found. */
export async function sendAppeal(
  app: App,
  viewer: Guest | Member,
  { statement_id, text }: Body<'POST appeals'>,
): Promise<Answer<'POST appeals'>> {
  return app.transact(async (tx) => {
    // Of an appeal and the end of its act at once the second sees the first.
    await lockUser(tx, viewer.id)
    const statement = await statementById(tx, statement_id)
    if (statement?.user_id !== viewer.id || !mayAppeal(app, statement)) refuse('not_found')
    const made = await insertAppeal(tx, { statement_id, user_id: viewer.id, text: text.trim() })
    if (made) return shownAppeal(made)
    const former = await tx
      .selectFrom('appeals')
      .selectAll()
      .where('statement_id', '=', statement_id)
      .executeTakeFirstOrThrow()
    return shownAppeal(former)
  })
}

/** GET appeals. */
export async function appealsPage(
  app: App,
  viewer: Guest | Member,
  request: Query<'GET appeals'>,
): Promise<Answer<'GET appeals'>> {
  const rows = await ownAppeals(app.db, viewer.id, offsetAndLimit(request))
  return paginate(request, rows.map(shownAppeal))
}

/** GET v2/manager/appeals. */
export async function appealQueue(
  app: App,
  staff: Staff,
  request: Query<'GET v2/manager/appeals'>,
): Promise<Answer<'GET v2/manager/appeals'>> {
  const rows = await readAppealQueue(app.db, request.state, {
    ...offsetAndLimit(request),
    own: await ownAccount(app.db, staff),
  })
  const person = await readDeskPeople(
    app.db,
    rows.map(({ user_id }) => user_id),
  )
  const ids = rows.map(({ appeal_id }) => String(appeal_id))
  const statements = rows.map(({ statement_id }) => statement_id)
  const complaints = await complaintsOfStatements(app.db, statements)
  const claims = await readClaims(app.db, 'appeals', ids, app.clock.now())
  const shown = []
  for (const row of rows) {
    const statement = (await statementById(app.db, row.statement_id))!
    shown.push({
      ...shownAppeal(row),
      user: person(row.user_id),
      statement: {
        ...deskStatement(statement),
        imposed_by: statement.imposed_by,
      },
      complaint_id: complaints.get(row.statement_id) ?? null,
      is_own_act: statement.imposed_by === staff.email,
      claim: claims.get(String(row.appeal_id)) ?? null,
    })
  }
  return paginate(request, shown)
}

/** POST v2/manager/appeals/{id}/decide. Refuses not_found, role_forbidden for the own act, claimed, decided, bulk_stopped. */
export async function decideByStaff(
  app: App,
  staff: Staff,
  {
    id,
    upheld,
    answer,
  }: Query<'POST v2/manager/appeals/{id}/decide'> & Body<'POST v2/manager/appeals/{id}/decide'>,
): Promise<Answer<'POST v2/manager/appeals/{id}/decide'>> {
  return app.transact(async (tx) => {
    await endClaim(tx, staff, 'appeals', String(id))
    if (upheld) await checkBulk(tx, staff, 'lift')
    const row = await decideAppeal(tx, id, { upheld, answer, by: staff.email })
    await requireOtherPerson(tx, staff, [row.user_id])
    await writeAudit(tx, {
      staff,
      act: 'appeal_decide',
      user_id: row.user_id,
      reason: answer,
      facts: { appeal_id: id, statement_id: row.statement_id, upheld },
      load: 'plain',
    })
    const { kind, imposed_by } = (await statementById(tx, row.statement_id))!
    await requireIndependent(tx, staff, imposed_by)
    const standing = upheld && (await readStanding(tx, { user_id: row.user_id, kind }))
    return { ...shownAppeal(row), ...standing }
  })
}

/**
 * Decides an appeal once, by another person than the one who imposed the act. An upheld appeal takes the act back. Refuses
 * not_found, role_forbidden, decided.
 */
export async function decideAppeal(
  tx: Tx,
  appeal_id: number,
  {
    upheld,
    answer,
    by,
  }: { readonly upheld: boolean; readonly answer: string; readonly by: string },
): Promise<AppealRow> {
  const appeal = (await lockAppeal(tx, appeal_id)) ?? refuse('not_found')
  if (appeal.state !== 'waiting') refuse('decided')
  const statement = (await statementById(tx, appeal.statement_id))!
  if (statement.imposed_by === by) refuse('role_forbidden')
  const state = upheld ? 'upheld' : 'rejected'
  const row = await closeAppeal(tx, appeal_id, { state, answer, decided_by: by })
  const restored = upheld ? await takeBack(tx, statement, { by, comment: answer }) : null
  await addNotice(tx, {
    user_id: appeal.user_id,
    kind: 'appeal',
    facts: {
      what: restored === false ? 'not_restored' : state,
      statement_id: appeal.statement_id,
    },
    key: `appeal:${appeal_id}`,
  })
  return row
}
