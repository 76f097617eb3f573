import type { Answer, Body, Query } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { WaitingCases } from '../../../core/hooks.ts'
import type { Staff } from '../../../core/viewer.ts'
import { wireTime } from '../../../lib/clock.ts'
import { offsetAndLimit, paginate } from '../../../lib/paging/pagination.ts'
import { refuse } from '../../../lib/refusal.ts'
import { writeAudit } from '../../audit/index.ts'
import { checkBulk } from '../../bulk/index.ts'
import { lockUser, userById } from '../../identity/index.ts'
import {
  endClaim,
  ownAccount,
  readClaims,
  readDeskPeople,
  requireNotOwn,
  requireOtherPerson,
} from '../../staff/index.ts'
import {
  actOnUser,
  auditedWords,
  bulkKind,
  permittedDecision,
  readEarlierBan,
} from '../act-on-user.ts'
import { insertTexts } from '../sanctions/sanction-store.ts'
import { deskStatement, recentStatements } from '../complaints/desk-queries.ts'
import {
  countEarlierTexts,
  countMaskedTexts,
  countMaskedWriters,
  doneUntil,
  type MaskedText,
  readMaskedTexts,
  readNeighbours,
} from './queries.ts'
import { markOneViewDone, recordMaskedView, setViewUntil } from './store.ts'

/** Older texts wait no longer: staff look at what is new. */
const WAITING_DAYS = 7
const TEXTS_MAX = 50
/** Up to this number of texts is shown to their writer with the decision, the oldest first. */
const STATED_MAX = 5
/** A text has the time at which its transaction began: up to this much later it can still be committed. */
const ON_ITS_WAY_SECONDS = 60

function lookWindow(now: Temporal.Instant) {
  return {
    since: now.subtract({ hours: 24 * WAITING_DAYS }),
    before: now.subtract({ seconds: ON_ITS_WAY_SECONDS }),
  }
}

export async function countMasked(db: Db, now: Temporal.Instant): Promise<WaitingCases> {
  const { since, before } = lookWindow(now)
  return { queue: 'masked', ...(await countMaskedWriters(db, since, before)) }
}

/** Whether texts of this user wait for a look. */
export async function isMaskedWaiting(
  db: Db,
  user_id: UserId,
  now: Temporal.Instant,
): Promise<boolean> {
  const { before } = lookWindow(now)
  const after = await beginLook(db, user_id, now)
  const [first] = await readMaskedTexts(db, user_id, { after, limit: 1 })
  return first !== undefined && Temporal.Instant.compare(first.at, before) <= 0
}

/** GET v2/manager/masked. */
export async function maskedQueue(
  app: App,
  staff: Staff,
  request: Query<'GET v2/manager/masked'>,
): Promise<Answer<'GET v2/manager/masked'>> {
  const now = app.clock.now()
  const own = await ownAccount(app.db, staff)
  const page = { ...lookWindow(now), ...offsetAndLimit(request), own }
  const rows = await countMaskedTexts(app.db, page)
  const ids = rows.map(({ user_id }) => user_id)
  const person = await readDeskPeople(app.db, ids)
  const claims = await readClaims(app.db, 'masked', ids.map(String), now)
  const items = rows.map(({ user_id, messages, call_texts, first_at, last_at }) => ({
    user: person(user_id),
    messages,
    call_texts,
    first_at: wireTime(first_at),
    last_at: wireTime(last_at),
    claim: claims.get(String(user_id)) ?? null,
  }))
  return paginate(request, items)
}

/** GET v2/manager/masked/{id}. The look is recorded before anything is read. */
export async function maskedCase(
  app: App,
  staff: Staff,
  { id: user_id }: Query<'GET v2/manager/masked/{id}'>,
): Promise<Answer<'GET v2/manager/masked/{id}'>> {
  if (!(await userById(app.db, user_id))) refuse('not_found')
  await requireNotOwn(app.db, staff, [user_id])
  const now = app.clock.now()
  const { before } = lookWindow(now)
  const view_id = await app.transact(async (tx) => {
    await writeAudit(tx, { staff, act: 'masked_texts_view', user_id })
    return recordMaskedView(tx, { user_id, viewer: staff.email })
  })
  const after = await beginLook(app.db, user_id, now)
  const waiting = await readMaskedTexts(app.db, user_id, { after, limit: TEXTS_MAX + 1 })
  const settled = waiting.filter(({ at }) => Temporal.Instant.compare(at, before) <= 0)
  const next = settled[TEXTS_MAX]
  const until = next ? next.at.subtract({ microseconds: 1 }) : before
  await app.transact((tx) => setViewUntil(tx, view_id, until))
  const texts = settled.filter(({ at }) => Temporal.Instant.compare(at, until) <= 0)
  const statements = await recentStatements(app.db, user_id)
  const person = await readDeskPeople(app.db, [
    user_id,
    ...texts.map(({ partner_id }) => partner_id),
  ])
  return {
    user: person(user_id),
    view_id,
    texts: await shownTexts(app.db, texts, person),
    is_more: next !== undefined,
    earlier: await countEarlierTexts(app.db, user_id, after),
    statements: statements.map(deskStatement),
  }
}

/** The texts of a look are later than this. */
async function beginLook(
  db: Db,
  user_id: UserId,
  now: Temporal.Instant,
): Promise<Temporal.Instant> {
  const { since } = lookWindow(now)
  const done = await doneUntil(db, user_id)
  return done && Temporal.Instant.compare(done, since) > 0 ? done : since
}

async function shownTexts(
  db: Db,
  texts: readonly MaskedText[],
  person: Awaited<ReturnType<typeof readDeskPeople>>,
) {
  const near = await readNeighbours(db, texts)
  return texts.map(({ kind, text_id, partner_id, original, masked, at }) => {
    const own = near.filter((one) => one.kind === kind && one.of === text_id)
    const shown = ({ sender_id, text }: (typeof own)[number]) => ({ sender_id, text })
    return {
      kind,
      partner: person(partner_id),
      original,
      masked,
      at: wireTime(at),
      before: own.filter((one) => one.text_id < text_id).map(shown),
      after: own.filter((one) => one.text_id > text_id).map(shown),
    }
  })
}

function toPlace({ kind, is_private }: MaskedText) {
  if (kind === 'message') return 'messenger'
  return is_private ? 'private_call' : 'public_call'
}

/**
 * POST v2/manager/masked/{id}/decide: the act and the end of the case are one transaction. Texts that the look did not
 * show still wait.
 */
export async function decideOnMasked(
  app: App,
  staff: Staff,
  {
    id: user_id,
    view_id,
    comment,
    decision,
    ...given
  }: Query<'POST v2/manager/masked/{id}/decide'> & Body<'POST v2/manager/masked/{id}/decide'>,
): Promise<Answer<'POST v2/manager/masked/{id}/decide'>> {
  const permitted = permittedDecision(app, staff, { decision, ...given })
  return app.transact(async (tx) => {
    await requireOtherPerson(tx, staff, [user_id])
    // Of two decisions at once the second sees what the first has done.
    await lockUser(tx, user_id)
    await endClaim(tx, staff, 'masked', String(user_id))
    // The look may be an hour old.
    const after = await beginLook(tx, user_id, tx.now.subtract({ hours: 1 }))
    const waiting = await readMaskedTexts(tx, user_id, { after, limit: STATED_MAX })
    const shown = await markOneViewDone(tx, { view_id, user_id, viewer: staff.email })
    if (!shown) refuse('not_found')
    const texts = waiting.filter(({ at }) => Temporal.Instant.compare(at, shown) <= 0)
    const [first] = texts
    if (!first) refuse('decided')
    await checkBulk(tx, staff, bulkKind(decision))
    const act = { user_id, ...permitted, comment, place: toPlace(first), by: staff.email } as const
    const statement_id =
      decision === 'no_violation' ? null : await actOnUser(tx, { ...act, decision })
    if (statement_id !== null)
      await insertTexts(
        tx,
        { statement_id, user_id },
        texts.map((text) => ({ place: toPlace(text), text: text.original, at: text.at })),
      )
    const earlier = await readEarlierBan(tx, user_id, { decision, statement_id })
    const facts = { decision, view_id, ...earlier }
    await writeAudit(tx, {
      staff,
      act: 'masked_texts_decide',
      user_id,
      ...auditedWords(statement_id, act),
      facts,
      load: 'plain',
    })
    return { statement_id }
  })
}
