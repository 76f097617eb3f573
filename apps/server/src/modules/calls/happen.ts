import { unreachable } from '../../lib/assert.ts'
import { isRefusal, refuse } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import type { Tx } from '../../core/tx.ts'
import { consumeFreeStart, consumeQuota } from '../allowances/index.ts'
import { putBack, setBreak } from '../matchmaking/index.ts'
import { interlocutors } from '../identity/index.ts'
import { missingOnWire } from '../ledger/index.ts'
import type { Effect, Happened } from './call/call-events.ts'
import type { Call } from './call/call.ts'
import { settleDoubt } from './in-doubt.ts'
import { becomeKnown, idOf, rulesNow, type LiveCall, type Money } from './live.ts'
import { availableFor, post, release, reserve } from './money.ts'
import { decide, roundSuffices } from './call/rules.ts'
import { flag, updateCall } from './store.ts'
import { tellClosed, tellMeter, tellNewSession, tellSessionUp } from './tell.ts'

/** A call in the middle of a transaction: what it will be when that commits. */
interface Standing {
  call: Call
  money: Money
}

/** Effects that touch nothing stored: with a call of which the round stores all that changed, the frequent case of a report. */
function isLight(effect: Effect): boolean {
  return effect.kind === 'wake_at' || effect.kind === 'tell_meter'
}

/**
 * Something happened to a call. One thing at a time: it is decided, stored with its effects in one transaction, and only
 * then becomes what is known. Answers the effects, for whoever's command it was.
 */
export function happen(
  app: App,
  live: LiveCall,
  happened: Happened | ((tx: Tx) => Promise<Happened>),
): Promise<Effect[]> {
  const turn = live.turn.then(() => doTurn(app, live, happened))
  live.turn = turn.catch(() => {})
  return turn
}

async function doTurn(
  app: App,
  live: LiveCall,
  happened: Happened | ((tx: Tx) => Promise<Happened>),
): Promise<Effect[]> {
  if (live.in_doubt) await settleDoubt(app, live)
  if (typeof happened !== 'function') {
    const decision = decide(live.call, happened, app.clock.now(), rulesNow(app))
    if (decision.effects.every(isLight) && roundSuffices(live.call, decision.call)) {
      live.call = decision.call
      for (const effect of decision.effects) doLight(app, live, effect)
      return decision.effects
    }
  }
  try {
    return await app.transact((tx) => happenIn(tx, live, happened))
  } catch (error) {
    live.in_doubt ||= !isRefusal(error)
    throw error
  }
}

async function happenIn(
  tx: Tx,
  live: LiveCall,
  happened: Happened | ((tx: Tx) => Promise<Happened>),
): Promise<Effect[]> {
  const what = typeof happened === 'function' ? await happened(tx) : happened
  const { call, effects } = decide(live.call, what, tx.now, rulesNow(tx.app))
  const standing = { call, money: live.money }
  // First of the effects: what is told after commit is told of the new state.
  tx.afterCommit(() => becomeKnown(tx.app, live, standing))
  await carryOut(tx, live, standing, effects)
  await updateCall(tx, standing.call, standing.money)
  return effects
}

function doLight(app: App, live: LiveCall, effect: Effect): void {
  if (effect.kind === 'wake_at') wake(app, live, effect.at)
  else if (effect.kind === 'tell_meter') tellMeter(app, live.call, effect.reading)
}

function wake(app: App, live: LiveCall, at: Temporal.Instant): void {
  live.cancelWake()
  live.cancelWake = app.clock.at(at, () => {
    happen(app, live, { kind: 'time_came' }).catch((error: unknown) => {
      app.log.error(
        { err: error, session_id: live.call.session_id },
        'a call could not go on in time',
      )
      // The round of each second asks again.
    })
  })
}

/** Does the effects of a decision in its transaction; money answers back into the same decision. */
export async function carryOut(
  tx: Tx,
  live: LiveCall,
  standing: Standing,
  effects: readonly Effect[],
): Promise<void> {
  for (const effect of effects) await carryOutOne(tx, live, standing, effect)
}

async function carryOutOne(
  tx: Tx,
  live: LiveCall,
  standing: Standing,
  effect: Effect,
): Promise<void> {
  const { app } = tx
  const { call } = standing
  const { session_id, guy_id, girl_id } = call
  switch (effect.kind) {
    case 'wake_at':
      return tx.afterCommit(() => wake(app, live, effect.at))
    case 'tell_meter':
      return tx.afterCommit(() => tellMeter(app, live.call, effect.reading))
    case 'refuse':
      return refuse(effect.name, refusalDetails(effect))
    case 'reserve':
    case 'renew_hold':
      return hold(tx, live, standing, effect)
    case 'post':
      standing.money = await post(tx, call, standing.money, effect.post)
      return
    case 'use_free_start':
      return consumeFreeStart(tx, guy_id, girl_id)
    case 'use_quota':
      return consumeQuota(tx, guy_id, effect.seconds)
    case 'tell_new_session':
      return tx.afterCommit(() => tellNewSession(app, live))
    case 'asked':
      return
    case 'tell_ask':
      return tellSessionUp(tx, call, effect.to, effect.expires_at)
    case 'tell_ask_closed':
      return tx.notify(idOf(call, effect.to), 'session_up_declined', {
        session_id,
        reason: effect.reason,
      })
    case 'flag':
      return flag(tx, session_id, effect.user_id, effect.about)
    case 'close':
      standing.money = await release(tx, call, standing.money)
      return tellClosed(tx, call, effect)
    case 'refill_balance': {
      // Who is gone meanwhile keeps no call open.
      const [last_interlocutor] = await interlocutors(app, tx, guy_id, [effect.last_interlocutor])
      return tx.notify(guy_id, 'refill_balance', { last_interlocutor })
    }
    case 'requeue':
      return tx.afterCommit(() => putBack(app, idOf(call, effect.side)))
    case 'begin_break':
      return tx.afterCommit(() => setBreak(app, girl_id, true))
    default:
      return unreachable(effect, 'an effect that nobody carries out')
  }
}

async function hold(
  tx: Tx,
  live: LiveCall,
  standing: Standing,
  effect: Extract<Effect, { kind: 'reserve' | 'renew_hold' }>,
): Promise<void> {
  if (effect.kind === 'renew_hold')
    standing.money = await post(tx, standing.call, standing.money, effect.post)
  const { money, seconds } = await reserve(tx, standing.call, standing.money, effect)
  standing.money = money
  const answer: Happened =
    seconds > 0 ? { kind: 'hold_renewed', seconds } : { kind: 'hold_refused' }
  const decision = decide(standing.call, answer, tx.now, rulesNow(tx.app))
  standing.call = decision.call
  await carryOut(tx, live, standing, decision.effects)
}

function refusalDetails({
  missing_units,
  retry_after_seconds,
}: Extract<Effect, { kind: 'refuse' }>): Record<string, unknown> {
  return {
    ...(missing_units !== undefined && { missing: missingOnWire('diamond', missing_units) }),
    ...(retry_after_seconds !== undefined && { retry_after: retry_after_seconds }),
  }
}

/** A happening that needs to know what he could spend at that moment. */
export function withMoney(
  live: LiveCall,
  happened: (available_units: bigint) => Happened,
): (tx: Tx) => Promise<Happened> {
  return async (tx) => happened(await availableFor(tx, live.call, live.money))
}
