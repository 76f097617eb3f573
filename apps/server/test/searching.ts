import { equal } from 'node:assert/strict'
import type { Actor } from './actor.ts'
import { story, type Stage, type StageOptions } from './stage.ts'
import { modules } from '../src/modules.ts'
import type { Facts } from '../src/domain-events.ts'
import { refuse } from '../src/lib/refusal.ts'
import { module } from '../src/platform/module.ts'
import { takeQuota } from '../src/modules/matching/index.ts'

/**
 * Stories without the calls themselves: a module in their place hears of accepted pairs and says that the call opened,
 * or refuses as one does who finds somebody taken.
 */
export function withCalls({ refuses = false } = {}) {
  const accepted: Facts['pair_accepted'][] = []
  const breaks: Facts['break_wanted'][] = []
  const calls = module('video', {
    hears: {
      async pair_accepted(tx, said) {
        if (refuses) refuse('in_call', { who: 'other' })
        tx.after(() => void accepted.push(said))
        await openCall(tx, said)
      },
      async break_wanted(tx, said) {
        tx.after(() => void breaks.push(said))
      },
    },
  })
  const options: StageOptions = { modules: [...modules.filter(({ name }) => name !== 'video'), calls] }
  return { tell: story.with(options), accepted, breaks }
}

type Stating = { fact: (name: 'call_opened', said: Facts['call_opened']) => Promise<void> }

function openCall(tx: Stating, { guy_id, girl_id }: { guy_id: number; girl_id: number }): Promise<void> {
  return tx.fact('call_opened', { session_id: 1, guy_id, girl_id, state: 'public', recovered: false })
}

/** Both search; answers the offer that they see. */
export async function offerOf(guy: Actor, girl: Actor): Promise<string> {
  for (const one of [guy, girl]) one.forget()
  await girl.act('MATCH_AWAIT', {})
  await guy.act('MATCH_AWAIT', {})
  const { pair_id } = await guy.heard('search_pair')
  equal((await girl.heard('search_pair', { pair_id })).pair_id, pair_id)
  return pair_id
}

/** These two have a call, whatever led to it. */
export function pickUp(stage: Stage, guy: Actor, girl: Actor): Promise<void> {
  return stage.app.transact((tx) => openCall(tx, { guy_id: guy.id, girl_id: girl.id }))
}

/** A call of these two is over. */
export function hangUp(stage: Stage, guy: Actor, girl: Actor, reason = 'left'): Promise<void> {
  const seconds = { connected: true, seconds: 5, paid_seconds: 0 }
  return stage.app.transact((tx) =>
    tx.fact('call_closed', { session_id: 1, guy_id: guy.id, girl_id: girl.id, reason, ...seconds }),
  )
}

/** Each of these guys in turn is offered to her, and she lets it pass. */
export async function passes(stage: Stage, guys: readonly Actor[], girl: Actor): Promise<void> {
  for (const guy of guys) {
    await guy.act('MATCH_AWAIT', {})
    await girl.heard('search_state', { state: 'offered' })
    await stage.advance('10 s')
  }
}

/** Nothing free is left to him. */
export function withoutQuota(stage: Stage, guy: Actor): Promise<void> {
  return stage.app.transact((tx) => takeQuota(tx, guy.id, 60))
}

/** What the page was told last of its search. */
export async function stateOf(one: Actor): Promise<Record<string, unknown>> {
  await one.stage.settle()
  return one.all('search_state').at(-1)?.payload ?? {}
}
