import { deepEqual, equal, ok } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import { isRefusal } from '@duet/server/lib/refusal.ts'
import { affordable, type Movement, openHold, postHold } from '@duet/server/modules/ledger/index.ts'
import { type Bank, openBank } from '../laws/ledger-bank.ts'

/** In whatever order promises resolve, the ledger and the model have the same result. */
const orders = process.env.PROOF === 'long' ? 5_000 : 300
const COMMANDS_MAX = 60
const USERS = 3

let bank: Bank
let runs = 0
before(async () => {
  bank = await openBank()
})
after(() => bank.stop())

interface Sent {
  readonly user: number
  /** The amount that it takes from its user when it succeeds. */
  readonly amount: bigint
  /**
   * The balance that was certain when it was sent; amounts that other commands take are subtracted
   * as they become known.
   */
  surely_there: bigint
}

/** The model: the amounts that are known from answers, and the running commands. */
class Paper {
  readonly known = new Map<number, bigint>()
  readonly under_way = new Set<Sent>()
  readonly keys = new Map<string, { applied?: string; said: { as: string; outcome: string }[] }>()
  readonly holds: { user: number; hold_id: number; held: bigint }[] = []
  readonly pending: Promise<void>[] = []

  send(user: number, amount: bigint): Sent {
    const others = [...this.under_way].filter((other) => other.user === user)
    const guaranteed = others.reduce(
      (left, other) => left - other.amount,
      this.known.get(user) ?? 0n,
    )
    for (const other of others) other.surely_there -= amount
    const sent = { user, amount, surely_there: guaranteed }
    this.under_way.add(sent)
    return sent
  }

  /** Answers whether the refusal of this request was right. */
  refused(sent: Sent): void {
    this.under_way.delete(sent)
    ok(
      sent.surely_there < sent.amount,
      `user ${sent.user} could pay ${sent.amount}: at least ${sent.surely_there} was available`,
    )
  }

  done(sent: Sent, took: bigint): void {
    this.under_way.delete(sent)
    this.add(sent.user, -took)
  }

  add(user: number, amount: bigint): void {
    this.known.set(user, (this.known.get(user) ?? 0n) + amount)
  }

  said(key: string, as: string, outcome: string): void {
    const known = this.keys.get(key) ?? { said: [] }
    known.said.push({ as, outcome })
    if (outcome === 'applied') {
      equal(known.applied, undefined, `${key} moved twice`)
      known.applied = as
    }
    this.keys.set(key, known)
  }
}

interface Real {
  readonly schedule: fc.Scheduler
  readonly run: number
}
type Command = fc.AsyncCommand<Paper, Real>

class Pay implements Command {
  readonly key: number
  readonly from: number
  readonly to: number
  readonly amount: number
  constructor(key: number, from: number, to: number, amount: number) {
    this.key = key
    this.from = from
    this.to = to
    this.amount = amount
  }
  check = () => true
  toString = () => `Pay(key ${this.key}, ${this.from} -> ${this.to}, ${this.amount})`

  async run(paper: Paper, { schedule, run }: Real): Promise<void> {
    const to =
      this.to === this.from || this.to === 0
        ? { house: 'conversion' as const }
        : { user_id: userId(run, this.to) }
    const amount = BigInt(this.amount)
    const key = `${run}:${this.key}`
    const movement: Movement = {
      key,
      asset: 'diamond',
      from: { user_id: userId(run, this.from) },
      to,
      amount,
      what: 'move',
      cause: { kind: 'test' },
    }
    const sent = paper.send(this.from, amount)
    const go = async () => {
      await schedule.schedule(Promise.resolve(), `send ${String(this)}`)
      const outcome = await fetchOutcome(bank.move(movement))
      await schedule.schedule(Promise.resolve(), `hear ${String(this)}`)
      paper.said(key, String(this), outcome)
      if (outcome === 'no_balance') paper.refused(sent)
      else paper.done(sent, outcome === 'applied' ? amount : 0n)
      if (outcome === 'applied' && 'user_id' in to) paper.add(this.to, amount)
    }
    paper.pending.push(go())
  }
}

class Hold implements Command {
  readonly user: number
  readonly amount: number
  constructor(user: number, amount: number) {
    this.user = user
    this.amount = amount
  }
  check = () => true
  toString = () => `Hold(${this.user}, ${this.amount})`

  async run(paper: Paper, { schedule, run }: Real): Promise<void> {
    const amount = BigInt(this.amount)
    const opening = {
      key: `${run}:hold:${crypto.randomUUID()}`,
      user_id: userId(run, this.user),
      asset: 'diamond',
      amount,
      what: 'call',
      cause: { kind: 'test' },
    } as const
    const sent = paper.send(this.user, amount)
    const go = async () => {
      await schedule.schedule(Promise.resolve(), `send ${String(this)}`)
      let hold_id = 0
      const outcome = await fetchOutcome(
        bank.app.transact(async (tx) => {
          hold_id = (await openHold(tx, opening)).hold_id
          return 'applied'
        }),
      )
      await schedule.schedule(Promise.resolve(), `hear ${String(this)}`)
      if (outcome === 'no_balance') return paper.refused(sent)
      paper.done(sent, amount)
      paper.holds.push({ user: this.user, hold_id, held: amount })
    }
    paper.pending.push(go())
  }
}

class Post implements Command {
  readonly part: number
  constructor(part: number) {
    this.part = part
  }
  check = (paper: Readonly<Paper>) => paper.holds.length > 0
  toString = () => `Post(${this.part} %)`

  async run(paper: Paper, { schedule, run }: Real): Promise<void> {
    const { user, hold_id, held } = paper.holds.shift()!
    const amount = (held * BigInt(this.part)) / 100n
    const posting = {
      key: `${run}:post:${hold_id}`,
      hold_id,
      amount,
      to: { house: 'conversion' },
      asset: 'diamond',
      what: 'call',
      cause: { kind: 'test' },
    } as const
    const go = async () => {
      await schedule.schedule(Promise.resolve(), `send ${String(this)}`)
      deepEqual(await bank.app.transact((tx) => postHold(tx, posting)), {
        hold_id,
        posted: amount,
        held: 0n,
      })
      await schedule.schedule(Promise.resolve(), `hear ${String(this)}`)
      paper.add(user, held - amount)
    }
    paper.pending.push(go())
  }
}

const user = fc.integer({ min: 1, max: USERS })
const amount = fc.integer({ min: 1, max: 60 })
/**
 * Its key mostly contains all parameters of the movement, so that repeats are frequent; one in
 * eight is another movement under the same key.
 */
const pay = fc
  .tuple(fc.nat({ max: 40 }), fc.nat({ max: 7 }))
  .map(
    ([key, other]) =>
      new Pay(
        key,
        (key % USERS) + 1,
        (key >> 2) % (USERS + 1),
        ((key * 37) % 60) + (other === 0 ? 2 : 1),
      ),
  )
const commands = fc.commands<Paper, Real, false>(
  [
    pay,
    pay,
    pay,
    fc.tuple(user, amount).map((of) => new Hold(...of)),
    fc.integer({ min: 0, max: 100 }).map((part) => new Post(part)),
  ],
  { maxCommands: COMMANDS_MAX, size: 'max' },
)

test('the ledger does what the model does, in every order of promises', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), commands, async (schedule, history) => {
      const run = ++runs
      const paper = new Paper()
      for (let one = 1; one <= USERS; one++) {
        await bank.endow(userId(run, one), 'diamond', 100n)
        paper.add(one, 100n)
      }
      await fc.scheduledModelRun(
        schedule,
        () => ({ model: paper, real: { schedule, run } }),
        history,
      )
      await schedule.waitFor(Promise.all(paper.pending))
      await agree(paper, run)
    }),
    { numRuns: orders, seed: testSeed() },
  )
  deepEqual(await bank.audit(), [])
})

async function agree(paper: Paper, run: number): Promise<void> {
  for (let one = 1; one <= USERS; one++) {
    equal(
      await affordable(bank.app.db, userId(run, one), 'diamond'),
      paper.known.get(one),
      `user ${one} has the balance of the model`,
    )
  }
  for (const [key, { applied, said }] of paper.keys) {
    for (const { as, outcome } of said) {
      if (outcome === 'repeated')
        equal(as, applied, `${key} answered a repeat of a command that was never executed`)
      if (outcome === 'key_reused')
        ok(applied !== undefined && as !== applied, `${key} refused its own movement`)
    }
  }
}

function userId(run: number, one: number): number {
  return run * 10 + one
}

async function fetchOutcome(work: Promise<string>): Promise<string> {
  try {
    return await work
  } catch (error) {
    if (isRefusal(error)) return error.refusal
    throw error
  }
}
