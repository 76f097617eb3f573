import type { Answer, Query, Statement } from '@duet/protocol'
import type {
  ModerationInfo,
  SanctionKind,
  SanctionReason,
} from '@duet/protocol/kernel/sanctions.ts'
import { citedRule } from '@duet/protocol/kernel/rule-names.ts'
import type { App, AppContext } from '../../../core/app.ts'
import { type Db, readTogether } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Guest, Member, Viewer } from '../../../core/viewer.ts'
import { assert } from '../../../lib/assert.ts'
import { wireTime } from '../../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../../lib/paging/pagination.ts'
import { refuse } from '../../../lib/refusal.ts'
import { toWire } from '../../../lib/money.ts'
import { userById } from '../../identity/index.ts'
import { type AppealRow, appealsOfStatements } from '../appeals/appeal-store.ts'
import { mayAppeal, shownAppeal } from '../appeals/appeal-view.ts'
import { ownGrounds, readGrounds, readOwnTexts } from './grounds.ts'
import { type RemovalRow, removalsByIds } from '../removals/removal-store.ts'
import { penaltiesByIds, type PenaltyRow } from '../penalties/penalty-store.ts'

declare module '../../../core/stored-change.ts' {
  interface StoredChanges {
    banned: { readonly statement_id: number }
    statement: { readonly statement_id: number }
  }
}

function selectStatements(db: Db, user_id: UserId) {
  return db
    .selectFrom('statements')
    .leftJoin('sanctions', 'sanctions.statement_id', 'statements.statement_id')
    .selectAll('statements')
    .select(['sanctions.ended_at', 'sanctions.lifted_by'])
    .where('statements.user_id', '=', user_id)
}

type ShownStatement = Awaited<ReturnType<ReturnType<typeof selectStatements>['execute']>>[number]

/** Statements as their user reads them. */
async function statementViews(
  app: AppContext,
  db: Db,
  rows: readonly ShownStatement[],
): Promise<Statement[]> {
  const ids = rows.map(({ statement_id }) => statement_id)
  const appeals = await appealsOfStatements(db, ids)
  const penalties = ids.length === 0 ? [] : await penaltiesByIds(db, ids)
  const removals = await removalsByIds(db, ids)
  const grounds = await readGrounds(db, ids)
  const texts = await readOwnTexts(db, ids)
  return rows.map((row) => {
    const isIts = (one: { statement_id: number }) => one.statement_id === row.statement_id
    return statementView(app, row, {
      appeal: appeals.find(isIts),
      penalty: penalties.find(isIts),
      removal: removals.find(isIts),
      grounds: ownGrounds(grounds.find(isIts)!, texts.filter(isIts)),
    })
  })
}

interface StatementParts {
  readonly appeal: AppealRow | undefined
  readonly penalty: PenaltyRow | undefined
  readonly removal: RemovalRow | undefined
  readonly grounds: ReturnType<typeof ownGrounds>
}

/** When staff took the act back, or the coins of a penalty returned by themselves. A ban that ran out was not lifted. */
function liftTime(row: ShownStatement, penalty: PenaltyRow | undefined): Temporal.Instant | null {
  if (row.lifted_by !== null) return row.ended_at
  return penalty?.returned_at ?? row.taken_back_at
}

function statementView(
  app: AppContext,
  row: ShownStatement,
  { appeal, penalty, removal, grounds }: StatementParts,
): Statement {
  const { is_closed, ...shown } = grounds
  const lifted_at = liftTime(row, penalty)
  const isSanction = row.kind === 'ban' || row.kind === 'suspension'
  return {
    id: row.statement_id,
    kind: row.kind as Statement['kind'],
    at: wireTime(row.at),
    reason: row.reason as Statement['reason'],
    rule: citedRule(row.reason),
    comment: row.comment,
    ...((isSanction || row.until) && { until: row.until && wireTime(row.until) }),
    ...shown,
    automatic: row.automatic,
    can_appeal: !appeal && row.ended_at === null && !row.taken_back_at && mayAppeal(app, row),
    ...(appeal && { appeal: shownAppeal(appeal) }),
    ...(penalty && { amount: toWire('coin', penalty.amount) }),
    ...(penalty && !is_closed && { place: penalty.place as Statement['place'] }),
    ...(lifted_at && { lifted_at: wireTime(lifted_at) }),
    ...(removal && removal.restored !== null && { restored: removal.restored }),
  }
}

export async function statementsPage(
  app: App,
  viewer: Guest | Member,
  request: Query<'GET statements'>,
): Promise<Answer<'GET statements'>> {
  const { offset, limit } = offsetAndLimit(request)
  const rows = await selectStatements(app.db, viewer.id)
    .orderBy('statements.statement_id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()
  return paginate(request, await statementViews(app, app.db, rows))
}

export async function oneStatement(
  app: App,
  viewer: Guest | Member,
  { id }: Query<'GET statements/{id}'>,
): Promise<Answer<'GET statements/{id}'>> {
  const row = await selectStatements(app.db, viewer.id)
    .where('statements.statement_id', '=', id)
    .executeTakeFirst()
  return row ? (await statementViews(app, app.db, [row]))[0]! : refuse('not_found')
}

/** How a stored `statement` is shown to its user. */
export async function renderStatements(
  db: Db,
  viewerId: UserId,
  stored: readonly { readonly statement_id: number }[],
  context: AppContext,
): Promise<readonly Statement[]> {
  const ids = stored.map(({ statement_id }) => statement_id)
  const rows = await selectStatements(db, viewerId)
    .where('statements.statement_id', 'in', ids)
    .execute()
  const views = await statementViews(context, db, rows)
  return ids.map((id) => views.find((one) => one.id === id)!)
}

async function sanctionView(
  context: AppContext,
  db: Db,
  user_id: UserId,
  statement_id: number,
): Promise<ModerationInfo> {
  const row = await selectStatements(db, user_id)
    .where('statements.statement_id', '=', statement_id)
    .executeTakeFirst()
  assert(row, 'a sanction has a statement')
  const appeals = await appealsOfStatements(db, [statement_id])
  return {
    kind: row.kind as SanctionKind,
    reason: row.reason as SanctionReason,
    unban_time: row.until && wireTime(row.until),
    comment: row.comment,
    statement_id,
    can_appeal: appeals.length === 0 && mayAppeal(context, row),
  }
}

/** The sanction of a banned user that counts now, as the user reads it. Undefined: it has just ended. */
export async function moderationInfo(
  app: App,
  viewer: Viewer,
): Promise<ModerationInfo | undefined> {
  if (viewer.kind !== 'member') return undefined
  const row = await userById(app.db, viewer.id)
  return row?.sanction_id == null
    ? undefined
    : sanctionView(app, app.db, viewer.id, row.sanction_id)
}

export function renderBanned(
  db: Db,
  viewerId: UserId,
  stored: readonly { readonly statement_id: number }[],
  context: AppContext,
): Promise<{ moderation_info: ModerationInfo }[]> {
  return readTogether<{ moderation_info: ModerationInfo }[]>(
    db,
    stored.map(({ statement_id }) => async () => ({
      moderation_info: await sanctionView(context, db, viewerId, statement_id),
    })),
  )
}
