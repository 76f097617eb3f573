import type { App } from '../../core/app.ts'
import type { UserId } from '../../core/ids.ts'
import type { Tx } from '../../core/tx.ts'
import type { DomainEvents } from '../../core/domain-events.ts'
import { endSearch } from './search/end-search.ts'
import { nowTalks, talksNoMore } from './in-call.ts'
import { happenIn } from './offers/offer-process.ts'
import { openPairOf } from './queries.ts'
import { searchOf, soonInTurn } from './search-sessions.ts'
import { tellState } from './state.ts'
import { rememberMeeting } from './store.ts'
import { idOf } from './views.ts'

const sides = ['guy', 'girl'] as const

/** Who talks searches no more and is in no offer (MA1). */
export async function callOpened(tx: Tx, said: DomainEvents['call_opened']): Promise<void> {
  const { app } = tx
  for (const side of sides) {
    const user_id = idOf(said, side)
    const pair_id = said.recovered ? undefined : await openPairOf(tx, user_id, side)
    if (pair_id !== undefined) await happenIn(tx, pair_id, { kind: 'taken', side, by: 'call' })
    tx.afterCommit(() => {
      nowTalks(app, user_id)
      stopSearching(app, user_id)
    })
  }
}

function stopSearching(app: App, user_id: UserId): void {
  soonInTurn(app, user_id, 'leaving a search for a call', async () => {
    const search = searchOf(app, user_id)
    if (search) await endSearch(app, search, 'call')
  })
}

/** They met, even when their pictures never did. */
export async function callClosed(
  tx: Tx,
  { guy_id, girl_id }: DomainEvents['call_closed'],
): Promise<void> {
  const { app } = tx
  await rememberMeeting(tx, guy_id, girl_id, tx.now)
  for (const user_id of [guy_id, girl_id]) {
    tx.afterCommit(() => {
      talksNoMore(app, user_id)
      soonInTurn(app, user_id, 'telling where a search stands', () => tellState(app, user_id))
    })
  }
}
