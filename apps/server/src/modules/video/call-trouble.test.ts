import { equal, ok, rejects } from 'node:assert/strict'
import { inCall } from '../../../test/call.ts'
import { withoutQuota } from '../../../test/searching.ts'
import { story, type Stage } from '../../../test/stage.ts'
import { balances, ledgerCheck, openHold } from '../wallet/index.ts'
import { happen, withMoney } from './happen.ts'
import { liveCall } from './live.ts'

async function goodMs(stage: Stage, session_id: number): Promise<number> {
  const { db } = stage.app
  const row = await db
    .selectFrom('video_sessions')
    .select('good_ms')
    .where('session_id', '=', session_id)
    .executeTakeFirstOrThrow()
  return row.good_ms
}

story('a call that cannot go on keeps no other from being counted', async ({ stage, boris, carl, anna, vera }) => {
  await stage.setting('hold_seconds', '12')
  for (const one of [boris, carl]) {
    await stage.duet('grant', one.id, 5, 'diamond', '--reason', 'test')
    await withoutQuota(stage, one)
  }
  const stuck = await inCall(stage, { guy: boris, girl: anna })
  // The ledger knows its next step by another movement: whatever it tries is refused.
  await stage.app.transact((tx) =>
    openHold(tx, {
      key: `call:${stuck.session_id}:post:2`,
      user_id: carl.id,
      asset: 'diamond',
      amount: 1n,
      what: 'other',
      cause: { kind: 'test' },
    }),
  )
  await stuck.connect()
  const sound = await inCall(stage, { guy: carl, girl: vera })
  await sound.connect()
  for (let times = 0; times < 10; times += 1) {
    await stuck.talk(2)
    await sound.report()
  }
  await stage.advance('1 s')
  ok((await goodMs(stage, sound.session_id)) >= 20_000)
  ok((await goodMs(stage, stuck.session_id)) < 20_000)
})

story('what was committed while the database went away is found again', async ({ stage, boris, anna }) => {
  await stage.duet('grant', boris.id, 10, 'diamond', '--reason', 'test')
  await withoutQuota(stage, boris)
  const { session_id, connect, talk } = await inCall(stage, { guy: boris, girl: anna, free_start: false })
  await connect()
  await talk(10)
  const live = liveCall(stage.app, session_id)!
  await anna.act('SESSION_UP', { session_id })
  // The same decision in the database, and nothing of it here: as when the answer to a commit is lost.
  const accept = withMoney(live, (available_units) => ({
    kind: 'answered_private',
    side: 'guy',
    accept: true,
    available_units,
  }))
  await happen(stage.app, { ...live }, accept)
  await rejects(
    happen(stage.app, live, () => Promise.reject(new Error('the line broke'))),
    /the line broke/,
  )
  await talk(60)
  const receipt = await boris.act('BREAK_SESSION', { session_id })
  equal(receipt.reason, 'left')
  const { balance, held_units } = await balances(stage.app.db, boris.id)
  equal(balance, receipt.balance)
  equal(held_units, 0n)
  ok(Number(receipt.spent) > 1, `${receipt.spent} spent`)
  ok((await ledgerCheck(stage.app.db)).ok)
})

story('a call that ended unheard is over for both, who may search again', async ({ stage, boris, anna }) => {
  const { session_id, connect } = await inCall(stage, { guy: boris, girl: anna })
  await connect()
  await stage.database.pool.query(
    `update video_sessions set status = 'closed', closed_at = opened_at, reason = 'moderator' where session_id = $1`,
    [session_id],
  )
  const live = liveCall(stage.app, session_id)!
  await rejects(
    happen(stage.app, live, () => Promise.reject(new Error('the line broke'))),
    /the line broke/,
  )
  equal((await boris.act('BREAK_SESSION', { session_id })).reason, 'moderator')
  equal(liveCall(stage.app, session_id), undefined)
  equal((await boris.act('MATCH_AWAIT', {})).state, 'waiting')
})

story('a call whose opening nobody heard of is taken up, and ends if nobody comes', async ({ stage, boris, anna }) => {
  const { session_id } = await inCall(stage, { guy: boris, girl: anna })
  await boris.act('BREAK_SESSION', { session_id })
  await stage.database.pool.query(
    `update video_sessions set status = 'waiting', closed_at = null, reason = null where session_id = $1`,
    [session_id],
  )
  await stage.advance('60 s')
  ok(liveCall(stage.app, session_id))
  await stage.advance('11 s')
  equal((await boris.act('BREAK_SESSION', { session_id })).reason, 'server')
})

story('how often the meter is stored is a setting that counts at once', async ({ stage, boris, anna }) => {
  const { session_id, connect, talk } = await inCall(stage, { guy: boris, girl: anna })
  await connect()
  await talk(2)
  await stage.setting('meter_round', '60')
  await stage.advance('1 s')
  const before = await goodMs(stage, session_id)
  await talk(4)
  equal(await goodMs(stage, session_id), before)
})
