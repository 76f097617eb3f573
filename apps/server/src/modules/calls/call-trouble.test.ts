import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { inCall, paidCall } from '@duet/testkit/calls/in-call.ts'
import { loseAnswerOfCommit } from '@duet/testkit/lost-answers.ts'
import { fetchOffer, fetchState, withoutQuota } from '@duet/testkit/searching.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { balances, ledgerCheck, openHold } from '../ledger/index.ts'
import { breakAfterCall } from '../matchmaking/index.ts'
import { findSearchSession } from '../matchmaking/search-sessions.ts'
import { getActivity } from '../presence/index.ts'
import { registeredCall } from './call-registry.ts'
import { openAcceptedCall } from './open-call.ts'
import { callProcess, dispatchEvent, withAvailableUnits } from './process.ts'
import { callById } from './queries.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'

async function goodMs(testApp: TestApp, session_id: number): Promise<number> {
  const { db } = testApp.app
  const row = await db
    .selectFrom('video_sessions')
    .select('good_ms')
    .where('session_id', '=', session_id)
    .executeTakeFirstOrThrow()
  return row.good_ms
}

/** A transaction that fails for an unknown reason: its commit may have happened. */
function failTransaction(testApp: TestApp, sessionId: number): Promise<void> {
  const failing = () => Promise.reject(new Error('the connection broke'))
  return rejects(dispatchEvent(testApp.app, sessionId, failing), /the connection broke/)
}

story(
  'a call that fails does not prevent other calls from being counted',
  async ({ testApp, boris, carl, anna, vera }) => {
    await testApp.setting('hold_seconds', '12')
    for (const one of [boris, carl]) {
      await testApp.duet('grant', one.id, 5, 'diamond', '--reason', 'test')
      await withoutQuota(testApp, one)
    }
    const stuck = await inCall(testApp, { guy: boris, girl: anna })
    // The ledger knows its next step by another movement: whatever it tries is refused.
    await testApp.app.transact((tx) =>
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
    const sound = await inCall(testApp, { guy: carl, girl: vera })
    await sound.connect()
    for (let times = 0; times < 10; times += 1) {
      await stuck.talk(2)
      await sound.report()
    }
    await testApp.advance('1 s')
    ok((await goodMs(testApp, sound.session_id)) >= 20_000)
    ok((await goodMs(testApp, stuck.session_id)) < 20_000)
  },
)

story(
  'a decision whose commit answer was lost is applied when the row shows it',
  async ({ testApp, boris, anna }) => {
    const { session_id, talk } = await paidCall(testApp, { guy: boris, girl: anna, minutes: 10 })
    await talk(10)
    await anna.act('SESSION_UP', { session_id })
    const accept = withAvailableUnits((availableUnits) => ({
      type: 'private_answered',
      side: 'guy',
      accept: true,
      available_units: availableUnits,
    }))
    // The copy has a runtime of its own: the decision is in the database, and nothing of it is in memory here.
    const copy = { ...testApp.app }
    await dispatchEvent(copy, session_id, accept)
    await callProcess(copy).stop()
    equal(registeredCall(testApp.app, session_id)!.stored.call.state, 'public')
    await failTransaction(testApp, session_id)
    await talk(2)
    equal(registeredCall(testApp.app, session_id)!.stored.call.state, 'private')
    await talk(60)
    const receipt = await boris.act('BREAK_SESSION', { session_id })
    equal(receipt.reason, 'left')
    const { balance, held_units } = await balances(testApp.app.db, boris.id)
    equal(balance, receipt.balance)
    equal(held_units, 0n)
    ok(Number(receipt.spent) > 1, `${receipt.spent} spent`)
    ok((await ledgerCheck(testApp.app.db)).ok)
  },
)

story(
  'a call that closed in a commit with a lost answer is over for both, who may search again',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await testApp.database.pool.query(
      `update video_sessions set status = 'closed', closed_at = opened_at, reason = 'moderator', version = version + 1
       where session_id = $1`,
      [session_id],
    )
    await failTransaction(testApp, session_id)
    equal((await boris.act('BREAK_SESSION', { session_id })).reason, 'moderator')
    equal(registeredCall(testApp.app, session_id), undefined)
    equal((await boris.act('MATCH_AWAIT', {})).state, 'waiting')
  },
)

story(
  'a call whose opening had no commit answer is recovered, and ends if no media follows',
  async ({ testApp, boris, anna }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    await boris.act('BREAK_SESSION', { session_id })
    await testApp.database.pool.query(
      `update video_sessions set status = 'waiting', closed_at = null, reason = null where session_id = $1`,
      [session_id],
    )
    // Recovery takes a call of its own server process at the second scan that finds it unknown.
    await testApp.advance('20 s')
    ok(registeredCall(testApp.app, session_id))
    await testApp.advance('16 s')
    equal((await boris.act('BREAK_SESSION', { session_id })).reason, 'not_connected')
  },
)

story(
  'a call that is lost and recovered goes on for the parties whose sockets stayed connected',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await testApp.database.pool.query(
      'update video_sessions set fence = fence + 1 where session_id = $1',
      [session_id],
    )
    await boris.tryAct('BREAK_SESSION', { session_id }).catch(() => {})
    equal(registeredCall(testApp.app, session_id), undefined)
    await testApp.advance('20 s')
    await talk(30)
    const { call } = registeredCall(testApp.app, session_id)!.stored
    deepEqual([call.status, call.guy.gone_at_ms, call.girl.gone_at_ms], ['running', null, null])
  },
)

story('a changed tick interval applies at once', async ({ testApp, boris, anna }) => {
  const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
  await connect()
  await talk(2)
  await testApp.setting('meter_round', '60')
  await testApp.advance('1 s')
  const before = await goodMs(testApp, session_id)
  await talk(4)
  equal(await goodMs(testApp, session_id), before)
})

story(
  'a call that waits for its pages when it is lost goes on with the pages that stayed connected',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await testApp.settle()
    await testApp.database.pool.query(
      'update video_sessions set fence = fence + 1 where session_id = $1',
      [session_id],
    )
    await boris.tryAct('BREAK_SESSION', { session_id }).catch(() => {})
    equal(registeredCall(testApp.app, session_id), undefined)
    while (!registeredCall(testApp.app, session_id)) await testApp.advance('1 s')
    // This is longer than the grace time after a restart and shorter than the time for media.
    await testApp.advance('11 s')
    await connect()
    equal(registeredCall(testApp.app, session_id)?.stored.call.status, 'running')
  },
)

story(
  'a call whose opening had no commit answer is announced to both',
  async ({ testApp, boris, anna }) => {
    for (const one of [boris, anna]) await one.openSignal()
    // The copy has a runtime of its own that sends to no socket: the call is in the database, and no page knows of it.
    const deaf = { ...testApp.app, emit: () => {} }
    await testApp.app.transact((tx) =>
      openAcceptedCall(Object.assign(tx, { app: deaf, publish: async () => {} }), {
        pair_id: crypto.randomUUID(),
        kind: 'random',
        guy_id: boris.id,
        girl_id: anna.id,
        guy_from_search: true,
        girl_from_search: true,
        free_start: true,
      }),
    )
    await callProcess(deaf).stop()
    await testApp.advance('20 s')
    const { session } = await boris.heard('new_session', {}, { times: 1 })
    equal((await anna.heard('new_session', {}, { times: 1 })).session.id, session.id)
  },
)

story(
  'a close whose commit answer was lost reaches both pages, and both search again as decided',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await talk(4)
    loseAnswerOfCommit(testApp, /update "video_sessions"/)
    const answer = await boris.tryAct('BREAK_SESSION', { session_id, next: true })
    ok('error' in answer)
    equal((await callById(testApp.app.db, session_id))!.call.status, 'closed')
    for (const one of [boris, anna]) await one.notHeard('close_session')
    await testApp.advance('1 s')
    for (const one of [boris, anna])
      await one.heard('close_session', { session_id, reason: 'left' }, { times: 1 })
    equal(registeredCall(testApp.app, session_id), undefined)
    for (const one of [boris, anna]) equal((await fetchState(one)).state, 'waiting')
    const receipt = await boris.act('BREAK_SESSION', { session_id })
    equal(receipt.reason, 'left')
  },
)

story(
  'after a close whose commit answer was lost her break begins, and she is not put back into search',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await talk(4)
    await anna.act('OUT_FROM_SEARCH', {})
    loseAnswerOfCommit(testApp, /update "video_sessions"/)
    await boris.tryAct('BREAK_SESSION', { session_id })
    await testApp.advance('1 s')
    await anna.heard('close_session', { session_id, reason: 'left' }, { times: 1 })
    equal((await fetchState(anna)).state, 'break')
    equal(getActivity(testApp.app, anna.id), 'break')
  },
)

story(
  'an offer whose acceptance opened a call in a commit with a lost answer leaves no search behind',
  async ({ testApp, boris, anna }) => {
    for (const one of [boris, anna]) await one.openSignal()
    const pair_id = await fetchOffer(boris, anna)
    await boris.act('SEARCH_PAIR_ACCEPT', { pair_id })
    loseAnswerOfCommit(testApp, /insert into "video_sessions"/)
    ok('error' in (await anna.tryAct('SEARCH_PAIR_ACCEPT', { pair_id })))
    await testApp.advance('1 s')
    for (const one of [boris, anna]) equal(findSearchSession(testApp.app, one.id), undefined)
    const { session } = await boris.heard('new_session', {}, { times: 1 })
    equal((await anna.heard('new_session', {}, { times: 1 })).session.id, session.id)
    for (const one of [boris, anna]) {
      deepEqual(await fetchState(one), { state: 'idle', reason: 'in_call' })
      await one.isRefused('in_call', () => one.act('MATCH_AWAIT', {}))
      equal(getActivity(testApp.app, one.id), 'public')
    }
  },
)

story(
  'a break that cannot be stored is not acknowledged, and an acknowledged one survives a crash',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await talk(4)
    await runAsOwner(
      testApp.database,
      'alter table video_sessions add constraint no_break check (not break_set)',
    )
    ok('error' in (await anna.tryAct('OUT_FROM_SEARCH', {})))
    await runAsOwner(testApp.database, 'alter table video_sessions drop constraint no_break')
    await anna.act('OUT_FROM_SEARCH', {})
    await testApp.crash()
    await anna.comeBack()
    await testApp.advance('30 s')
    equal((await callById(testApp.app.db, session_id))!.call.status, 'closed')
    deepEqual(await fetchState(anna), { state: 'break' })
  },
)

for (const first of ['his end', 'her break'] as const)
  story(
    `her wish for a break holds when both end the call at once and ${first} comes first`,
    async ({ testApp, boris, anna }) => {
      const { session_id, connect, talk } = await inCall(testApp, { guy: boris, girl: anna })
      await connect()
      await talk(4)
      const ends = [
        () => boris.act('BREAK_SESSION', { session_id }),
        () => anna.act('BREAK_SESSION', { session_id, break: true }),
      ]
      if (first === 'her break') ends.reverse()
      await Promise.all(ends.map((end) => end()))
      await testApp.settle()
      deepEqual(await fetchState(anna), { state: 'break' })
      equal(findSearchSession(testApp.app, anna.id), undefined)

      await anna.act('MATCH_AWAIT', {})
      await anna.act('BREAK_SESSION', { session_id, break: true })
      deepEqual(await fetchState(anna), { state: 'waiting' })
    },
  )

story(
  'a wish for a break that comes a minute after the end of the call changes nothing',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await boris.act('BREAK_SESSION', { session_id })
    await testApp.advance('61 s')
    await anna.act('BREAK_SESSION', { session_id, break: true })
    deepEqual(await fetchState(anna), { state: 'waiting' })
  },
)

story(
  'a block whose commit answer was lost ends the call when she presses again',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    loseAnswerOfCommit(testApp, /insert into "blocks"/)
    ok('error' in (await anna.tryAct('BLOCK_USER', { user_id: boris.id })))
    await boris.notHeard('close_session')
    await anna.act('BLOCK_USER', { user_id: boris.id })
    await boris.heard('close_session', { session_id, reason: 'left' })
  },
)

story(
  'a call between two users is over after a crash right after the block',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    loseAnswerOfCommit(testApp, /insert into "blocks"/)
    ok('error' in (await anna.tryAct('BLOCK_USER', { user_id: boris.id })))
    await testApp.crash()
    await testApp.settle()
    equal((await callById(testApp.app.db, session_id))!.call.status, 'closed')
  },
)

story(
  'a call that has closed does not store a late wish for a break',
  async ({ testApp, boris, anna }) => {
    const { app } = testApp
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const asked = Promise.withResolvers<Promise<boolean>>()
    await dispatchEvent(app, session_id, async () => {
      // The wish waits in the queue of the call, behind this event.
      asked.resolve(breakAfterCall.get(app)(app, anna.id, true))
      return { type: 'left', side: 'guy' }
    })
    equal(await asked.promise, false)
  },
)
