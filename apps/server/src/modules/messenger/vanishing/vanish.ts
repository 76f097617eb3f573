import type { App, Tx } from '../../../core/app.ts'
import { perApp } from '../../../core/app-state.ts'
import type { DomainEvents } from '../../../core/domain-events.ts'
import type { UserId } from '../../../core/ids.ts'
import { plusMs } from '../../../lib/clock.ts'
import { isPremium, userById } from '../../identity/index.ts'
import { removeUploads } from '../../media/index.ts'
import { setting } from '../../settings/index.ts'
import { nextVanishing } from '../queries.ts'
import { vanishTime } from '../rules.ts'
import {
  byDialog,
  type ChangedMessage,
  unlockPictures,
  keepVanishing,
  removeVanished,
} from './vanish-store.ts'

const REMOVED_AT_ONCE = 200

const timers = perApp(
  'messenger: next vanishing',
  'the timer of the next message that disappears; it is set again at the start, and a job finds what was missed',
  () => ({ at: undefined as Temporal.Instant | undefined, cancel: () => {} }),
)

/** Removes the texts whose time has come, and sets the timer for the next text. */
export async function removeDue(app: App): Promise<void> {
  while ((await app.transact(removeSome)) === REMOVED_AT_ONCE);
  const next = await nextVanishing(app.db)
  if (next) vanishAt(app, next)
}

/** A message disappears at this time: the timer of this server process is set for the earliest message. */
export function vanishAt(app: App, at: Temporal.Instant): void {
  const timer = timers(app)
  if (timer.at && Temporal.Instant.compare(timer.at, at) <= 0) return
  timer.cancel()
  timer.at = at
  // A timer counts whole milliseconds and may be early by a fraction of a millisecond.
  timer.cancel = app.clock.at(plusMs(at, 1), () => {
    timer.at = undefined
    app.background('removing vanished messages', removeDue(app))
  })
}

export function stopVanishing(app: App): void {
  timers(app).cancel()
}

async function removeSome(tx: Tx): Promise<number> {
  const removed = await removeVanished(tx, REMOVED_AT_ONCE)
  for (const { dialog_id, message_ids, users } of byDialog(removed))
    for (const user_id of users)
      await tx.notify(user_id, 'messenger_message_removed', {
        dialog_id,
        message_ids,
        reason: 'expired',
      })
  // Evidence is kept, hidden from all users.
  await removeUploads(
    tx,
    removed.flatMap(({ media_id }) => media_id ?? []),
  )
  return removed.length
}

/** Premium keeps what has not disappeared yet; a confirmed age begins the hour of pictures that were read while they were locked. */
export async function followReader(
  tx: Tx,
  { user_id }: DomainEvents['member_updated'],
): Promise<void> {
  const user = await userById(tx, user_id)
  if (user?.role !== 'guy') return
  const changed = isPremium(user, tx.now)
    ? [...(await keepVanishing(tx, user_id)), ...(await unlockPictures(tx, user_id, null))]
    : user.age_confirmed_at === null
      ? []
      : await startVanishing(tx, user_id)
  for (const { dialog_id, message_ids, users } of byDialog(changed))
    for (const reader of users)
      await tx.notify(reader, 'messenger_read_message', { dialog_id, message_ids })
}

async function startVanishing(tx: Tx, user_id: UserId): Promise<readonly ChangedMessage[]> {
  const girl = { sender: 'girl', reader_premium: false } as const
  const vanish_at = vanishTime(girl, tx.now, setting(tx.app, 'vanish_after')) ?? null
  const begun = await unlockPictures(tx, user_id, vanish_at)
  if (begun.length > 0 && vanish_at) tx.afterCommit(() => vanishAt(tx.app, vanish_at))
  return begun
}
