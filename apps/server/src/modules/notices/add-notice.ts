import type { Tx } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import { wireTime } from '../../lib/clock.ts'
import { userById, type UserRow } from '../identity/index.ts'
import { isUnswitched, getMail, type NoticeFacts, type SentNoticeKind } from './kinds.ts'
import { mailNotice } from './mail-notice.ts'
import { enqueuePushes } from './push-notice.ts'
import * as store from './store.ts'

export interface NewNotice {
  readonly user_id: UserId
  readonly kind: SentNoticeKind
  /** The other user that it is about. */
  readonly user?: UserId
  readonly facts?: NoticeFacts
  /** A second notice of the user with this key has no effect: `photo:<id>`. */
  readonly key?: string
}

/** Writes a notice into a member's bell and sends it on by push and mail, as its kind and the user's switches say. */
export async function addNotice(
  tx: Tx,
  { user_id, kind, user, facts = {}, key }: NewNotice,
): Promise<void> {
  const receiver = await userById(tx, user_id)
  if (!receiver?.role || receiver.erased_at) return
  const mail = getMail(kind, facts)
  const isMailed =
    getsOwnMail(kind, facts, receiver) &&
    // A user who is here reads the bell.
    (isUnswitched(mail) || !(await tx.app.realtime.isConnected(user_id)))
  const id = await store.insertNotice(tx, {
    user_id,
    kind,
    about_id: user ?? null,
    facts,
    key: key ?? null,
    is_settled: mail !== 'digest',
  })
  if (id === undefined) return
  await tx.notify(user_id, 'notice', {
    notice: { id, kind, create_time: wireTime(tx.now), read: false, facts },
  })
  await enqueuePushes(tx, kind, [{ id, user_id }])
  if (!isMailed) return
  const about = user === undefined ? undefined : await userById(tx, user)
  await mailNotice(tx, receiver, { id, kind, facts, about })
}

/** Whether the user gets a mail for one notice of this kind. An unconfirmed address may be a stranger's. */
export function getsOwnMail(
  kind: SentNoticeKind,
  facts: NoticeFacts,
  { noty_email, email, email_confirmed_at }: UserRow,
): boolean {
  const mail = getMail(kind, facts)
  if (email === null || email_confirmed_at === null) return false
  return isUnswitched(mail) || (mail === 'now' && noty_email)
}
