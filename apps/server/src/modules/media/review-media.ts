import { refuse } from '../../lib/refusal.ts'
import type { App, Tx } from '../../core/app.ts'
import { type Actor, writeAudit } from '../audit/index.ts'
import { checkBulk } from '../bulk/index.ts'
import { notifyUserInfo } from '../identity/index.ts'
import { addNotice } from '../notices/index.ts'
import { hashOfUpload } from './checks/known-pictures.ts'
import { isRefusedFromAll, isSevereVerdict } from './checks/rules.ts'
import { addKnownPicture, removeKnownPicture } from './checks/store.ts'
import { isMediaId } from './queries.ts'
import { lockMedia, type ReviewedMedia, setMediaStatus } from './store.ts'

/** `by`: the mail of a member of staff, or the name of an operator. */
interface Verdict {
  readonly id: string
  readonly status: 'ready' | 'removed'
  readonly reason: string | null
  /** The text that the owner reads beside the verdict. */
  readonly comment?: string | undefined
  readonly by: string
}

/** Approves or removes a picture, whether it waits for review or is visible. Repeating it changes nothing. */
export async function reviewMedia(
  app: App,
  verdict: Verdict & { readonly actor: Actor },
  /** Runs in the same transaction, before it. */
  inside?: (tx: Tx, before: ReviewedMedia | undefined) => Promise<void>,
): Promise<ReviewedMedia> {
  const { id, status } = verdict
  if (!isMediaId(id)) refuse('not_found')
  // Reading a picture again takes long: it happens before the transaction.
  const hash = status === 'removed' ? await hashOfUpload(app, id) : undefined
  return app.transact(async (tx) => {
    await inside?.(tx, await lockMedia(tx, id))
    return (await applyReview(tx, { ...verdict, hash })) ?? refuse('not_found')
  })
}

/** The same inside a transaction. `hash`: the picture is refused from now on. Undefined: there is no such upload. */
export async function applyReview(
  tx: Tx,
  {
    id,
    status,
    reason,
    comment = '',
    by,
    actor = null,
    hash,
  }: Verdict & { readonly actor?: Actor | null; readonly hash?: string | undefined },
): Promise<ReviewedMedia | undefined> {
  const before = await lockMedia(tx, id)
  const media = await setMediaStatus(tx, id, status, reason)
  if (!media) return undefined
  const { owner_id } = media
  await followVerdict(tx, media, hash)
  if (before?.status !== status || before.reason !== reason)
    await addNotice(tx, { user_id: owner_id, kind: 'photo', facts: { verdict: reason ?? status } })
  await tx.publish('media_reviewed', { media_id: id, owner_id, status, reason, comment, by, actor })
  await tx.publish('member_updated', { user_id: owner_id })
  await notifyUserInfo(tx, owner_id)
  return media
}

/**
 * Removes a picture as a part of another decision, unless it is removed or gone. `hash`: it is refused from now on. Refuses
 * bulk_stopped.
 */
export async function removePicture(
  tx: Tx,
  staff: Actor,
  removal: Omit<Verdict, 'status'> & { readonly hash: string | undefined },
): Promise<void> {
  const media = await lockMedia(tx, removal.id)
  if (!media || media.status === 'removed') return
  const { reason, comment } = removal
  await auditReview(tx, staff, media, { reason, words: comment })
  await applyReview(tx, { ...removal, status: 'removed' })
}

/** Counts it for the limits of bulk acts and writes the entry of the audit log; without a reason it was approved. Refuses bulk_stopped. */
export async function auditReview(
  tx: Tx,
  staff: Actor,
  { id: media_id, owner_id: user_id }: Pick<ReviewedMedia, 'id' | 'owner_id'>,
  /** `words`: the text that the owner reads. */
  { reason, words }: { readonly reason: string | null; readonly words?: string | undefined },
): Promise<void> {
  await checkBulk(tx, staff, reason === null ? 'approval' : 'removal')
  const act = reason === null ? 'media_approve' : 'media_remove'
  const load = isSevereVerdict(reason) ? 'severe' : 'plain'
  const facts = { media_id }
  await writeAudit(tx, { staff, act, user_id, reason: reason ?? '', facts, load, words })
}

/** A removed picture is refused when it is uploaded again, until staff change their mind. */
async function followVerdict(
  tx: Tx,
  { id, owner_id, status, reason }: ReviewedMedia,
  hash: string | undefined,
): Promise<void> {
  if (status === 'ready') return removeKnownPicture(tx, id)
  if (hash === undefined || reason === null) return
  const refusedFrom = isRefusedFromAll(reason) ? null : owner_id
  await addKnownPicture(tx, { hash, reason, media_id: id, owner_id: refusedFrom })
}
