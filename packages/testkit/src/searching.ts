import { equal } from 'node:assert/strict'
import type { TestUser } from './test-user.ts'
import { story, type TestApp, type TestAppOptions } from './test-app.ts'
import { modules } from '@duet/server/modules.ts'
import type { DomainEvents } from '@duet/server/core/domain-events.ts'
import { refuse } from '@duet/server/lib/refusal.ts'
import { module } from '@duet/server/core/module.ts'
import type { Tx } from '@duet/server/core/app.ts'
import { breakAfterCall } from '@duet/server/modules/matchmaking/index.ts'
import { setActivity } from '@duet/server/modules/presence/index.ts'
import { consumeQuota } from '@duet/server/modules/allowances/index.ts'

/**
 * For stories without the calls module. A stand-in subscribes to accepted pairs and publishes that the call
 * opened. With `refuses` it refuses, as the calls module does if a user is in another call.
 */
export function withCalls({ refuses = false, takes_breaks = true } = {}) {
  const accepted: DomainEvents['pair_accepted'][] = []
  const breaks: { user_id: number; on: boolean }[] = []
  const calls = module('calls', {
    subscribers: {
      async pair_accepted(tx, said) {
        if (refuses) refuse('in_call', { who: 'other' })
        tx.afterCommit(() => void accepted.push(said))
        await openCall(tx, said)
      },
    },
    provides: [
      breakAfterCall.provide(async (_app, user_id, on) => {
        breaks.push({ user_id, on })
        return takes_breaks
      }),
    ],
  })
  const options: TestAppOptions = {
    modules: [...modules.filter(({ name }) => name !== 'calls'), calls],
  }
  return { tell: story.with(options), accepted, breaks }
}

/** As the calls module does it: both are in the call, then the event is published. */
async function openCall(
  tx: Tx,
  { guy_id, girl_id }: { guy_id: number; girl_id: number },
): Promise<void> {
  tx.afterCommit(() => {
    for (const user_id of [guy_id, girl_id]) setActivity(tx.app, user_id, 'public')
  })
  await tx.publish('call_opened', {
    session_id: 1,
    guy_id,
    girl_id,
    state: 'public',
    recovered: false,
  })
}

/** Both search; answers the offer that they see. */
export async function fetchOffer(guy: TestUser, girl: TestUser): Promise<string> {
  for (const one of [guy, girl]) one.forget()
  await girl.act('MATCH_AWAIT', {})
  await guy.act('MATCH_AWAIT', {})
  const { pair_id } = await guy.heard('search_pair')
  equal((await girl.heard('search_pair', { pair_id })).pair_id, pair_id)
  return pair_id
}

/** Opens a call between these two, without a search. */
export function pickUp(testApp: TestApp, guy: TestUser, girl: TestUser): Promise<void> {
  return testApp.app.transact((tx) => openCall(tx, { guy_id: guy.id, girl_id: girl.id }))
}

/** A call of these two ends; `requeue` and `begin_break` as the calls module would publish them. */
export function hangUp(
  testApp: TestApp,
  guy: TestUser,
  girl: TestUser,
  {
    requeue = [],
    begin_break = false,
    reason = 'left',
    connected = true,
  }: Partial<
    Pick<DomainEvents['call_closed'], 'requeue' | 'begin_break' | 'reason' | 'connected'>
  > = {},
): Promise<void> {
  return testApp.app.transact((tx) => {
    tx.afterCommit(() => {
      for (const { id } of [guy, girl]) setActivity(tx.app, id, 'free')
    })
    return tx.publish('call_closed', {
      session_id: 1,
      guy_id: guy.id,
      girl_id: girl.id,
      kind: 'random',
      state: 'public',
      reason,
      connected,
      seconds: 5,
      paid_seconds: 0,
      requeue,
      begin_break,
      recovered: false,
    })
  })
}

/** Each of these guys in turn is offered to her, and she lets it pass. */
export async function passes(
  testApp: TestApp,
  guys: readonly TestUser[],
  girl: TestUser,
): Promise<void> {
  for (const guy of guys) {
    await guy.act('MATCH_AWAIT', {})
    await girl.heard('search_state', { state: 'offered' })
    await testApp.advance('10 s')
  }
}

/** The guy has no free seconds left. */
export function withoutQuota(testApp: TestApp, guy: TestUser): Promise<void> {
  return testApp.app.transact((tx) => consumeQuota(tx, guy.id, 60))
}

/** The last search event that the page received. */
export async function fetchState(one: TestUser): Promise<Record<string, unknown>> {
  await one.testApp.settle()
  return one.all('search_state').at(-1)?.payload ?? {}
}
