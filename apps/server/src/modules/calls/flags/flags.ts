import type { App, Tx } from '../../../core/app.ts'
import type { OperatorCommand } from '../../../core/module.ts'
import { plusMs, wireTime } from '../../../lib/clock.ts'
import { pauseSearch } from '../../matchmaking/index.ts'
import { setting } from '../../settings/index.ts'
import { flaggedUsers, partnersOfFlags } from '../queries.ts'
import type { FlagReason } from '../rules/call-events.ts'
import type { Call } from '../rules/call.ts'
import { insertFlag, type NewFlag } from '../store.ts'

const DAY_MS = 86_400_000
const FLAGGED_USERS_MAX = 200

/** Stores a flag, and what follows from the flags that this user has of the last day. */
export async function flagGuy(
  tx: Tx,
  { session_id, guy_id, girl_id }: Call,
  about: FlagReason,
): Promise<void> {
  const flag: NewFlag = { session_id, user_id: guy_id, partner_id: girl_id, about }
  await insertFlag(tx, flag)
  const since = plusMs(tx.now, -DAY_MS)
  const partners = await partnersOfFlags(tx, guy_id, about, since)
  if (partners < setting(tx.app, 'contradiction_partners')) return
  if (about !== 'loss') await tellStaff(tx, flag)
  // His page received several cameras and never said so: he may be recording.
  if (about === 'never_reported') await pauseSearch(tx, guy_id, plusMs(tx.now, DAY_MS))
  else if (about === 'contradiction') await distrust(tx, flag)
  else if ((await partnersOfFlags(tx, guy_id, 'repeated_losses', since)) === 0)
    await insertFlag(tx, { ...flag, about: 'repeated_losses' })
}

/** Staff look at it once a call; the flag itself acts at once. */
function tellStaff(tx: Tx, { session_id, user_id, about }: NewFlag): Promise<void> {
  const kind = about === 'never_reported' ? about : 'contradiction'
  return tx.publish('finding_made', { user_id, kind, session_id, key: `${kind}:${session_id}` })
}

/**
 * If a guy's reports contradict the reports of several partners within a day, the guy is not trusted for a
 * day. A single lying girl cannot cause this. A guy whose socket is lost again and again may have a bad
 * network, so that flag is only listed.
 */
function distrust(tx: Tx, flag: NewFlag): Promise<void> {
  return insertFlag(tx, { ...flag, about: 'untrusted', until: plusMs(tx.now, DAY_MS) })
}

async function listFlags(app: App) {
  const users = await flaggedUsers(app.db, FLAGGED_USERS_MAX)
  return users.map(({ last_at, untrusted_until, ...user }) => ({
    ...user,
    last_at: wireTime(last_at),
    untrusted_until: untrusted_until && wireTime(untrusted_until),
  }))
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  flags: {
    args: '',
    summary:
      'Guys whose reports contradicted those of girls or were missing, or who lost their socket again and again; until when their word does not count.',
    run: listFlags,
  },
}
