import { limits } from '@duet/protocol'
import type { Answer, Body } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import type { Member } from '../../../core/viewer.ts'
import { newUuid } from '../../../lib/ids.ts'
import { wireTime } from '../../../lib/clock.ts'
import { refuse } from '../../../lib/refusal.ts'
import { confirmOwner, setDeletionAsked } from '../../logins/index.ts'
import { userById } from '../../identity/index.ts'
import { enqueueMail } from '../../mail/index.ts'
import { deletionProcess } from './deletion-process.ts'
import { findOpenDeletion } from './queries.ts'

/**
 * Starts the deletion of an account. Every login ends, and other users do not see the user any more. After
 * the days to reconsider, the account is erased. A log-in takes the request back. Refuses
 * password_required, second_factor.
 */
export async function requestDeletion(
  app: App,
  viewer: Member,
  { password, otp, passkey }: Body<'POST delete_account'>,
): Promise<Answer<'POST delete_account'>> {
  await confirmOwner(app, viewer, { password, otp, passkey })
  return app.transact(async (tx) => {
    const erase_at = tx.now.add({ hours: 24 * limits.deletion_days })
    // The lock on the row of the user: of two requests at once the second finds the first.
    await setDeletionAsked(tx, viewer.id)
    const deletion_id = await openOrProlong(tx, viewer.id, erase_at)
    const user = (await userById(tx, viewer.id)) ?? refuse('session_invalid')
    // An unconfirmed address may be a stranger's.
    if (user.email_confirmed_at)
      await enqueueMail(tx, {
        to: user.email!,
        locale: user.locale,
        template: 'account_deletion',
        values: { nick: user.nick!, day: erase_at.toString().slice(0, 10), link: '/' },
        key: `account deletion ${deletion_id} ${erase_at.epochMilliseconds}`,
      })
    return { erased_at: wireTime(erase_at) }
  })
}

async function openOrProlong(tx: Tx, user_id: UserId, erase_at: Temporal.Instant): Promise<string> {
  const deletions = deletionProcess(tx.app)
  const open = await findOpenDeletion(tx, user_id)
  if (open) {
    await deletions.applyIn(tx, open.deletion_id, { type: 'asked_again', erase_at })
    return open.deletion_id
  }
  const deletion_id = newUuid()
  await deletions.openIn(tx, {
    state: {
      deletion_id,
      user_id,
      state: 'asked',
      asked_at: tx.now,
      erase_at,
      wake_at: erase_at,
      closed_at: null,
    },
    commands: [],
  })
  return deletion_id
}
