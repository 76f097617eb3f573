import { deepEqual, equal } from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { openEmbedded } from '@duet/server/platform/database/embedded/embedded.ts'
import { attach } from '@duet/server/platform/database/open.ts'
import { audit } from '../laws/ledger-auditor.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import type { Answered, Asked, VictimMessage } from './kill-ledger-victim.ts'

/** Kills of the server, and of the database alone: long forms by `npm run proof kill-ledger`. */
const kills = process.env.PROOF === 'long' ? 400 : 12
const CLIENTS = 100
/** As a client of the product waits before it tries again. */
const RETRY_AFTER_MS = 25
const GUYS = 40
const GIRLS = 10
const ENDOWMENT = 400_000n
/** Of the commits: the connection is cut after the commit was sent, before its answer. */
const CUT_EVERY = 50
const seed = testSeed()

type WithoutId<A> = A extends unknown ? Omit<A, 'id'> : never
type Wish = WithoutId<Asked>

/** A client of the ledger: it repeats a request under the same key until the answer is known. */
class Server {
  #child: ChildProcess | undefined
  #postgres_pid = 0
  #asked = 0
  #kill_after = Infinity
  #deaths = 0
  readonly #waiting = new Map<number, (answer: Answered) => void>()
  readonly #data_dir: string
  readonly #random: () => number
  answered = 0
  retried = 0

  constructor(dataDir: string, random: () => number) {
    this.#data_dir = dataDir
    this.#random = random
  }

  async start(): Promise<void> {
    const child = fork(join(import.meta.dirname, 'kill-ledger-victim.ts'), {
      serialization: 'advanced',
      execArgv: ['--import', pathToFileURL(join(import.meta.dirname, 'cut-commits.ts')).href],
      env: { ...process.env, DATA_DIR: this.#data_dir, CUT_COMMITS_EVERY: String(CUT_EVERY) },
    })
    await new Promise<void>((ready, fail) => {
      child.once('exit', (code) =>
        fail(new Error(`the server ended with ${code} before it was ready`)),
      )
      child.on('message', (said: VictimMessage) => {
        if (!('ready' in said)) return this.#hear(said)
        this.#postgres_pid = said.postgres_pid
        ready()
      })
    })
    child.removeAllListeners('exit')
    this.#child = child
    this.#kill_after = this.answered + 50 + Math.floor(this.#random() * 400)
  }

  /** Answers once it is known; killed servers are asked again. */
  async ask(wish: Wish): Promise<Exclude<Answered, { outcome: 'unknown' }>> {
    for (;;) {
      const answer = await this.#send(wish)
      if (answer.outcome !== 'unknown') return answer as Exclude<Answered, { outcome: 'unknown' }>
      this.retried++
      await this.#back()
    }
  }

  /** The deaths that are still to come happen at these answers, so that a seed kills at the same count again. */
  get due(): boolean {
    return this.answered >= this.#kill_after
  }

  /** Two in three: the whole process, its database with it. One in three: the database alone, which the process starts again. */
  async kill(): Promise<void> {
    this.#kill_after = Infinity
    if (this.#deaths++ % 3 === 2) {
      process.kill(this.#postgres_pid, 'SIGKILL')
      this.#child!.send({ pid: true })
      this.#kill_after = this.answered + 50 + Math.floor(this.#random() * 400)
      return
    }
    await this.#end()
    await this.start()
    this.#restarted.resolve()
    this.#restarted = Promise.withResolvers<void>()
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    this.#child = undefined
    const over = new Promise((done) => child.once('exit', done))
    child.kill('SIGKILL')
    await over
    for (const [id, answer] of this.#waiting) answer({ id, outcome: 'unknown' })
    this.#waiting.clear()
  }
  readonly stop = () => this.#end()

  #restarted = Promise.withResolvers<void>()
  async #back(): Promise<void> {
    if (this.#child === undefined) await this.#restarted.promise
    else await sleep(RETRY_AFTER_MS)
  }

  async #send(wish: Wish): Promise<Answered> {
    const id = ++this.#asked
    const child = this.#child
    if (child === undefined) return { id, outcome: 'unknown' }
    return new Promise((answer) => {
      this.#waiting.set(id, answer)
      child.send({ ...wish, id } satisfies Asked, (error) => {
        if (error) this.#hear({ id, outcome: 'unknown' })
      })
    })
  }

  #hear(answer: Answered): void {
    if (answer.outcome !== 'unknown') this.answered++
    this.#waiting.get(answer.id)?.(answer)
    this.#waiting.delete(answer.id)
  }
}

test(`money survives ${kills} kills and cut connections during commands: none is lost, created, doubled or owed (seed ${seed})`, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'duet-kill-'))
  const random = randomFrom(seed)
  const server = new Server(dataDir, random)
  const pick = (most: number) => 1 + Math.floor(random() * most)
  const expected = new Map<string, bigint>()
  const add = (name: string, amount: bigint) =>
    expected.set(name, (expected.get(name) ?? 0n) + amount)
  const keys = new Set<string>()
  try {
    await server.start()
    for (let guy_id = 1; guy_id <= GUYS; guy_id++) {
      await server.ask({
        what: 'movement',
        key: `endow:${guy_id}`,
        from: { house: 'promotion' },
        to: { user_id: guy_id },
        amount: ENDOWMENT,
      })
      add(`${guy_id} diamond`, ENDOWMENT)
      keys.add(`endow:${guy_id}`)
    }
    let made = 0
    let over = false
    const client = async () => {
      while (!over) {
        const wish = toWish(`wish:${++made}`, pick)
        const answer = await server.ask(wish)
        if (answer.outcome === 'done') book(wish, answer.posted ?? 0n, add, keys)
      }
    }
    const all = Array.from({ length: CLIENTS }, client)
    for (let killed = 0; killed < kills; killed++) {
      while (!server.due) await new Promise((done) => setImmediate(done))
      await server.kill()
    }
    over = true
    await Promise.all(all)
    await server.stop()
    await compare(dataDir, expected, keys)
  } finally {
    await server.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
})

function toWish(key: string, pick: (most: number) => number): Wish {
  const [guy_id, girl_id] = [pick(GUYS), 1_000 + pick(GIRLS)]
  switch (pick(5)) {
    case 1:
      return {
        what: 'gift',
        key,
        guy_id,
        girl_id,
        amount: BigInt(pick(9_000)),
        reward: BigInt(pick(50_000)),
      }
    case 2:
      return { what: 'call', key, guy_id, girl_id, seconds: pick(20) }
    case 3:
      return {
        what: 'movement',
        key,
        from: { user_id: guy_id },
        to: { house: 'conversion' },
        amount: BigInt(pick(5_000)),
      }
    case 4:
      return {
        what: 'movement',
        key,
        from: { user_id: guy_id },
        to: { user_id: (guy_id % GUYS) + 1 },
        amount: BigInt(pick(20_000)),
      }
    default:
      return {
        what: 'movement',
        key,
        from: { house: 'promotion' },
        to: { user_id: guy_id },
        amount: BigInt(pick(8_000)),
      }
  }
}

/** Applies an accepted request to the client's own expectation. */
function book(
  wish: Wish,
  posted: bigint,
  add: (name: string, amount: bigint) => void,
  keys: Set<string>,
): void {
  if ('from' in wish) {
    for (const [side, amount] of [
      [wish.from, -wish.amount],
      [wish.to, wish.amount],
    ] as const) {
      if ('user_id' in side) add(`${side.user_id} diamond`, amount)
    }
    keys.add(wish.key)
  } else {
    const [paid, earned] = wish.what === 'gift' ? [wish.amount, wish.reward] : [posted, posted * 3n]
    add(`${wish.guy_id} diamond`, -paid)
    add(`${wish.girl_id} coin`, earned)
    if (wish.what === 'gift') keys.add(wish.key).add(`${wish.key}:reward`)
  }
}

async function compare(
  dataDir: string,
  expected: Map<string, bigint>,
  keys: Set<string>,
): Promise<void> {
  const embedded = await openEmbedded({ data_dir: dataDir })
  const { pool, stop } = attach(embedded.connection, { embedded })
  try {
    deepEqual(await audit(pool), [])
    const { rows: open } = await pool.query(`select id from holds where state = 'open'`)
    deepEqual(open, [])
    const { rows } = await pool.query<{ name: string; balance: bigint }>(
      `select user_id || ' ' || asset as name, balance from accounts where user_id is not null and balance <> 0`,
    )
    const found = new Map(rows.map(({ name, balance }) => [name, balance]))
    deepEqual([...found].sort(), [...expected].filter(([, amount]) => amount !== 0n).sort())
    const { rows: written } = await pool.query<{ key: string }>(
      `select key from transfers where what <> 'call'`,
    )
    equal(written.length, keys.size)
    deepEqual(
      written.filter(({ key }) => !keys.has(key)),
      [],
    )
  } finally {
    await stop()
  }
}
