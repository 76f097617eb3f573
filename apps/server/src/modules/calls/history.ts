import type { Answer, Query } from '@duet/protocol'
import { wireTime } from '../../lib/clock.ts'
import { toWire } from '../../lib/money.ts'
import { paginate, offsetAndLimit } from '../../lib/pagination.ts'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { interlocutors } from '../identity/index.ts'
import { otherSide } from './call/call.ts'
import { idOf } from './live.ts'
import { receipt } from './call/receipt.ts'
import { pastCalls } from './store.ts'

/** One's own past calls, newest first. */
export async function historyChats(
  app: App,
  viewer: Member,
  asked: Query<'GET history_chats'>,
): Promise<Answer<'GET history_chats'>> {
  const side = viewer.role === 'girl' ? 'girl' : 'guy'
  const calls = await pastCalls(app.db, { user_id: viewer.id, side }, offsetAndLimit(asked))
  const other = (call: (typeof calls)[number]) => idOf(call, otherSide(side))
  const people = await interlocutors(app, app.db, viewer.id, [...new Set(calls.map(other))])
  const faces = new Map(people.map((person) => [person.id, person]))
  const items = calls.flatMap((call) => {
    const user_interlocutor = faces.get(other(call))
    if (!user_interlocutor) return []
    const { reason, seconds, paid_seconds, spent, earned } = receipt(call, side)
    return [
      {
        session_id: call.session_id,
        user_interlocutor,
        state: call.state,
        started_at: wireTime(call.opened_at),
        seconds,
        paid_seconds,
        ...(side === 'guy'
          ? { spent: toWire('diamond', spent ?? 0n) }
          : { earned: toWire('coin', earned ?? 0n) }),
        reason,
      },
    ]
  })
  return { ...paginate(asked, items), next: calls.length > asked['per-page'] }
}
