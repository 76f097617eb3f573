import type { Ack, Input } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { Db } from '../../../core/db.ts'
import type { UserId } from '../../../core/ids.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Guest, Member } from '../../../core/viewer.ts'
import { productDay } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { block } from '../../blocks/index.ts'
import { hadCall, partnerIn } from '../../calls/index.ts'
import { hasRow, userById, writeGuestRow } from '../../identity/index.ts'
import { addNotice } from '../../notices/index.ts'
import { actAtOnce, endCall, requestFrames } from './act-at-once.ts'
import { compareComplaints, type ComplaintStanding, isSerious } from './complaint-rules.ts'
import {
  changeComplaint,
  haveHadContact,
  type ComplaintRow,
  insertComplaint,
  isDoubtful,
  lockFormer,
} from './complaint-store.ts'
import { orderCopies } from './evidence.ts'
import { sealEvidence } from './evidence-store.ts'
import { ownsMedia, pictureOfMessage, wasWrittenTo } from './named-content.ts'
import { type FilePicture, pictureReports } from './picture-reports.ts'

interface NewComplaint {
  readonly complainer_id: UserId
  readonly accused_id: UserId
  readonly reason: string
  readonly comment: string
  readonly is_panic: boolean
  readonly session_id: number | null
  readonly message_id: number | null
  readonly media_id: string | null
}

/**
 * Complains of a user, of a call with the user, or of a message or picture of the user. An intimate picture of the complainer
 * is reported as by the public form. Refuses not_found, key_reused, captcha_required.
 */
export async function complain(
  app: App,
  viewer: Guest | Member,
  input: Input<'TO_COMPLAIN'>,
  context: RequestContext,
): Promise<Ack<'TO_COMPLAIN'>> {
  const { user_id, reason, comment, session_id, message_id, media_id } = input
  const complaint: NewComplaint = {
    complainer_id: viewer.id,
    accused_id: user_id,
    reason,
    comment: comment.trim(),
    is_panic: false,
    session_id: session_id ?? null,
    message_id: message_id ?? null,
    media_id: media_id ?? (message_id ? await pictureOfMessage(app.db, message_id) : null),
  }
  await refuseForeign(app.db, complaint)
  const filePicture = await prepareReport(app, viewer, complaint, context)
  return app.transact(async (tx) => {
    if (viewer.kind === 'guest' && !hasRow(viewer)) await writeGuestRow(tx, viewer, context)
    const complaint_id = await storeComplaint(tx, viewer, {
      ...complaint,
      has_report: filePicture !== undefined,
    })
    return filePicture
      ? { complaint_id, report: await filePicture(tx, complaint_id) }
      : { complaint_id }
  })
}

async function prepareReport(
  app: App,
  viewer: Guest | Member,
  { reason, media_id, comment }: NewComplaint,
  context: RequestContext,
): Promise<FilePicture | undefined> {
  if (reason !== 'intimate_image' || media_id === null) return undefined
  return pictureReports.get(app)?.prepare(app, { viewer, context, media_id, comment })
}

/** A page that lost its connection at the press repeats it. A call that ended earlier is a case for a complaint. */
const PANIC_MINUTES_MAX = 10

/** The panic key: ends the call, blocks the partner, seals the evidence, and complains. A repeat gets the same complaint. */
export async function panic(
  app: App,
  viewer: Member,
  { session_id }: Input<'PANIC'>,
): Promise<Ack<'PANIC'>> {
  const since = app.clock.now().subtract({ minutes: PANIC_MINUTES_MAX })
  const accused_id = (await partnerIn(app.db, session_id, viewer.id, since)) ?? refuse('not_found')
  return app.transact(async (tx) => {
    const complaint_id = await storeComplaint(tx, viewer, {
      complainer_id: viewer.id,
      accused_id,
      reason: 'threats',
      comment: '',
      is_panic: true,
      session_id,
      message_id: null,
      media_id: null,
    })
    await block(tx, viewer.id, accused_id)
    return { complaint_id }
  })
}

/** A complaint names a member, and only a call, message or picture that this member shared with the complainer. */
async function refuseForeign(db: Db, complaint: NewComplaint): Promise<void> {
  const { complainer_id, accused_id, session_id, message_id, media_id } = complaint
  if (accused_id === complainer_id) refuse('not_found')
  if (!(await userById(db, accused_id))?.role) refuse('not_found')
  if (session_id !== null && !(await hadCall(db, session_id, complainer_id, accused_id)))
    refuse('not_found')
  if (message_id !== null && !(await wasWrittenTo(db, message_id, complaint))) refuse('not_found')
  if (media_id !== null && !(await ownsMedia(db, media_id, accused_id))) refuse('not_found')
}

/** `has_report`: a picture of the complaint is reported with it, also where there is a complaint already. */
async function storeComplaint(
  tx: Tx,
  viewer: Guest | Member,
  { has_report = false, ...complaint }: NewComplaint & { readonly has_report?: boolean },
): Promise<number> {
  const day = productDay(tx.now)
  const stored = await insertComplaint(tx, { ...complaint, day })
  if (!stored) return storeAgain(tx, viewer, { ...complaint, day, has_report })
  requestFrames(tx, stored)
  if (isSerious(stored)) await actAtOnce(tx, stored, await readStanding(tx, viewer, stored))
  await addNotice(tx, {
    user_id: viewer.id,
    kind: 'complaint',
    facts: { what: 'received', complaint_id: stored.complaint_id },
    key: `complaint:${stored.complaint_id}`,
  })
  return stored.complaint_id
}

/** The complainer has complained of this before. */
async function storeAgain(
  tx: Tx,
  viewer: Guest | Member,
  complaint: NewComplaint & { readonly day: Temporal.PlainDate; readonly has_report: boolean },
): Promise<number> {
  const former = (await lockFormer(tx, complaint)) ?? refuse('key_reused')
  const { complaint_id } = former
  const relation = compareComplaints(
    { ...former, is_decided: former.decided_at !== null },
    complaint,
  )
  if (relation === 'refused' && !complaint.has_report) refuse('key_reused')
  const { media_id } = complaint
  if (complaint.has_report && media_id !== null && former.media_id === null) {
    await changeComplaint(tx, complaint_id, { media_id })
    if (isSerious(former)) await orderCopies(tx, former, media_id)
  }
  // The answer to the first may have been lost, and with it the end of the call.
  if (relation === 'repeated' && isSerious(former)) endCall(tx, former.session_id)
  if (relation === 'raised') await raise(tx, viewer, former, complaint)
  return complaint_id
}

/** The first complaint becomes as grave as the second, with what the second adds. */
async function raise(
  tx: Tx,
  viewer: Guest | Member,
  former: ComplaintRow,
  { comment, is_panic, message_id, media_id, reason }: NewComplaint,
): Promise<void> {
  const { complaint_id } = former
  const change = {
    reason: is_panic ? former.reason : reason,
    is_panic: is_panic || former.is_panic,
    comment: comment || former.comment,
    message_id: message_id ?? former.message_id,
    media_id: media_id ?? former.media_id,
  }
  await changeComplaint(tx, complaint_id, change)
  await sealEvidence(tx, complaint_id)
  requestFrames(tx, former)
  const raised = { ...former, ...change }
  await actAtOnce(tx, raised, await readStanding(tx, viewer, raised))
}

async function readStanding(
  tx: Tx,
  viewer: Guest | Member,
  complaint: ComplaintRow,
): Promise<ComplaintStanding> {
  return {
    is_member: viewer.kind === 'member',
    has_contact: await haveHadContact(tx, complaint),
    is_doubtful: await isDoubtful(tx, complaint),
  }
}
