import { deepEqual, equal, ok } from 'node:assert/strict'
import type { Actor } from '../../../test/actor.ts'
import { inCall } from '../../../test/call.ts'
import { withoutQuota } from '../../../test/searching.ts'
import { story, type Stage } from '../../../test/stage.ts'
import { balances, ledgerCheck } from '../wallet/index.ts'
import { liveCall } from './live.ts'
import { storeRound } from './store.ts'

const coin = 100_000_000n

async function give(stage: Stage, guy: Actor, minutes: number | string): Promise<void> {
  await stage.duet('grant', guy.id, minutes, 'diamond', '--reason', 'test')
}

story('a round that comes late takes back nothing that was stored meanwhile', async ({ stage, boris, anna }) => {
  const { session_id, connect, talk } = await inCall(stage, { guy: boris, girl: anna })
  await connect()
  await talk(4)
  const early = liveCall(stage.app, session_id)!.call
  await talk(4)
  await stage.advance('1 s')
  await storeRound(stage.app, [early])
  const row = await stage.app.db.selectFrom('video_sessions').select('good_ms').executeTakeFirstOrThrow()
  equal(row.good_ms, 8000)
})

story('whoever is gone for good keeps no call open, and no changes unread', async ({ stage, boris, anna }) => {
  await give(stage, boris, 1)
  await withoutQuota(stage, boris)
  const { change_id } = await boris.auth()
  const { session_id, connect, talk } = await inCall(stage, { guy: boris, girl: anna, free_start: false })
  await connect()
  await talk(50)
  await stage.database.pool.query('update users set erased_at = now() where id = $1', [anna.id])
  await talk(20)
  equal((await boris.heard('close_session', { session_id })).reason, 'no_balance')
  equal((await boris.heard('refill_balance')).last_interlocutor, undefined)
  const { changes } = await boris.act('GET_CHANGES', { since: change_id })
  ok(changes.some(({ event }) => event === 'refill_balance'))
})

story('a refill is still offered when she is gone by the time it is read', async ({ stage, boris, anna }) => {
  await give(stage, boris, 1)
  await withoutQuota(stage, boris)
  const { change_id } = await boris.auth()
  const { connect, talk } = await inCall(stage, { guy: boris, girl: anna, free_start: false })
  await connect()
  await talk(70)
  await boris.heard('refill_balance')
  await stage.database.pool.query('update users set erased_at = now() where id = $1', [anna.id])
  const { changes } = await boris.act('GET_CHANGES', { since: change_id })
  const refill = changes.find(({ event }) => event === 'refill_balance')
  equal((refill!.payload as { last_interlocutor?: unknown }).last_interlocutor, undefined)
})

story('what costs him nothing may still earn her something', async ({ stage, boris, anna }) => {
  await stage.setting('price_public', '0')
  await withoutQuota(stage, boris)
  const { session_id, connect, talk } = await inCall(stage, { guy: boris, girl: anna, free_start: false })
  await connect()
  await talk(90)
  const receipt = await boris.act('BREAK_SESSION', { session_id })
  deepEqual([receipt.paid_seconds, receipt.spent], [90, '0'])
  const hers = await anna.heard('close_session', { session_id })
  deepEqual([hers.earned, hers.balance], ['75', '75'])
  equal((await balances(stage.app.db, anna.id)).balance_units, 75n * coin)
  ok((await ledgerCheck(stage.app.db)).ok)
})

story('prices that fall between units are paid to the unit', async ({ stage, boris, anna }) => {
  await stage.setting('price_public', '1.3701')
  await stage.setting('earn_public', '33.33333333')
  await give(stage, boris, 5)
  await withoutQuota(stage, boris)
  const { session_id, connect, talk } = await inCall(stage, { guy: boris, girl: anna, free_start: false })
  await connect()
  await talk(119)
  await boris.act('BREAK_SESSION', { session_id })
  equal((await balances(stage.app.db, boris.id)).balance_units, 300_000n - (119n * 82_206n) / 60n)
  equal((await balances(stage.app.db, anna.id)).balance_units, (119n * 3_333_333_333n) / 60n)
  ok((await ledgerCheck(stage.app.db)).ok)
})

story('a hold that a dearer price leaves without a whole second is let go', async ({ stage, boris, anna }) => {
  await give(stage, boris, '0.02')
  await withoutQuota(stage, boris)
  const { session_id, connect } = await inCall(stage, { guy: boris, girl: anna })
  await connect()
  equal((await balances(stage.app.db, boris.id)).held_units, 1000n)
  await give(stage, boris, 5)
  await boris.act('SESSION_UP', { session_id })
  await anna.act('SESSION_UP_REACTION', { session_id, accept: true })
  await boris.act('BREAK_SESSION', { session_id })
  equal((await balances(stage.app.db, boris.id)).held_units, 0n)
  ok((await ledgerCheck(stage.app.db)).ok)
})

story('when a paid call is over both are told what they have now', async ({ stage, boris, anna }) => {
  await give(stage, boris, 5)
  await withoutQuota(stage, boris)
  const { session_id, connect, talk } = await inCall(stage, { guy: boris, girl: anna, free_start: false })
  await connect()
  await talk(60)
  await boris.act('BREAK_SESSION', { session_id })
  await boris.heard('balance', { balance: '4', balance_messages: 0 }, { times: 1 })
  await anna.heard('balance', { balance: '50', balance_messages: 0 }, { times: 1 })
})

story(
  'a notice read during a call tells the balance less the seconds not yet posted',
  async ({ stage, boris, anna }) => {
    await give(stage, boris, 5)
    await withoutQuota(stage, boris)
    const { connect, talk } = await inCall(stage, { guy: boris, girl: anna, free_start: false })
    await connect()
    await talk(30)
    boris.forget()
    await give(stage, boris, 1)
    await boris.heard('balance', { balance: '5.5' })
    equal((await boris.heard('new_balance_info')).balance, '5.5')
  },
)
