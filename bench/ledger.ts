/**
 * Durable transfers a second through the product's ledger, beside pgbench's TPC-B on the same cluster. Also measures
 * how the cost of a transfer grows with the journal.
 *
 * One process commits in groups. 400 callers each wait for the commit of their transfer. Rounds are interleaved;
 * figures are medians.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Account,
  ledgerCheck,
  type Movement,
  transferEach,
} from '@duet/server/modules/ledger/index.ts'
import { groupCommit } from '@duet/server/platform/database/group-commit.ts'
import { openEmbedded } from '@duet/server/platform/database/embedded/embedded.ts'
import { migrate } from '@duet/server/platform/database/migrate.ts'
import { attach } from '@duet/server/platform/database/open.ts'
import { openBank } from '../tests/laws/ledger-bank.ts'

const ROUNDS = 5
const ROUND_MS = 4_000
const CALLERS = 400
const PEOPLE = 10_000
const ENDOWMENT = 10n ** 12n
const STEADY_PER_S = 2_000
const STEADY_MS = 2_000
const LATENCY_ROUNDS = 5
const BATCH_SIZE = 200
const SHARED_MAX = 500
const PGBENCH_SCALE = 10
const PGBENCH_CLIENTS = 8

let keys = 0
const dataDir = await mkdtemp(join(tmpdir(), 'duet-bench-ledger-'))
const embedded = await openEmbedded({ data_dir: dataDir })
try {
  await measure()
} finally {
  await embedded.stop()
  await rm(dataDir, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  await migrate(embedded.connection)
  const bank = await openBank({ database: attach(embedded.connection, { embedded }) })
  await bank.database.pool.query('create database tpcb')
  pgbench('-i', '-q', '-s', String(PGBENCH_SCALE))
  await endow(bank)
  const payments = createPayments(bank)

  // Names of accounts are drawn before, so that drawing costs nothing in the rounds.
  const spread = (): [Account, Account] => {
    const one = draw()
    return [{ user_id: one }, { user_id: (one % PEOPLE) + 1 }]
  }
  const house = (): [Account, Account] => [{ user_id: draw() }, { house: 'conversion' }]
  const forms = { house, spread }
  const found: Record<'tpcb' | keyof typeof forms, number[]> = { tpcb: [], house: [], spread: [] }
  const small = await cost(bank, spread)
  await load(payments, house, ROUND_MS / 2)
  for (let round = 0; round < ROUNDS; round++) {
    await bank.database.pool.query('checkpoint')
    found.tpcb.push(tpcb())
    for (const name of ['house', 'spread'] as const) {
      await bank.database.pool.query('checkpoint')
      found[name].push(await load(payments, forms[name], ROUND_MS))
    }
    const [first, ...others] = Object.entries(found).map(
      ([name, values]) => `${name} ${Math.round(values.at(-1)!)}/s`,
    )
    console.log(`  round ${round + 1}: ${[first, ...others].join(' · ')}`)
  }
  const [base, one, many] = [median(found.tpcb), median(found.house), median(found.spread)]
  console.log(`  TPC-B, ${PGBENCH_CLIENTS} clients           ${Math.round(base)} tps`)
  console.log(
    `  ledger, one house account ${Math.round(one)} transfers/s = ${(one / base).toFixed(1)}x TPC-B (must 3x, aim 6x)`,
  )
  console.log(
    `  ledger, spread accounts   ${Math.round(many)} transfers/s; one house account is ${(one / many).toFixed(2)}x of it (must 0.7x, aim 0.95x)`,
  )
  await latencies(payments, house)
  const large = await cost(bank, spread)
  const { ok, checked } = await ledgerCheck(bank.app.db)
  console.log(
    `  one transfer in batches of ${BATCH_SIZE}: ${small.toFixed(0)} µs with a journal of ${PEOPLE} rows, ${large.toFixed(0)} µs with ${checked.transfers}: ${(large / small).toFixed(2)}x (allowed 1.5x)`,
  )
  console.log(`  books ${ok ? 'agree' : 'DO NOT AGREE'} after ${checked.transfers} transfers`)
  if (!ok) process.exitCode = 1
  await bank.database.pool.end()
}

type Bank = Awaited<ReturnType<typeof openBank>>
type Payments = ReturnType<typeof createPayments>

function movement([from, to]: [Account, Account]): Movement {
  return {
    key: `bench:${++keys}`,
    asset: 'diamond',
    from,
    to,
    amount: 1n,
    what: 'call',
    cause: { kind: 'call', id: 7 },
  }
}

async function endow(bank: Bank): Promise<void> {
  for (let first = 1; first <= PEOPLE; first += 500) {
    const some = Array.from({ length: 500 }, (_, at) =>
      movement([{ house: 'promotion' }, { user_id: first + at }]),
    )
    await bank.move(some.map((one) => ({ ...one, amount: ENDOWMENT })))
  }
  await bank.database.pool.query('vacuum analyze accounts, transfers')
}

/** The movements of many callers share transactions, as the messages of many users do. */
function createPayments({ app }: Bank) {
  return groupCommit<Movement, void>({
    max_batch: SHARED_MAX,
    max_queue: Infinity,
    flush: (movements) =>
      app.transact(async (tx) => {
        const errors = await transferEach(tx, movements)
        return movements.map((one) => errors.get(one))
      }),
  })
}

/** Each caller sends a movement when the last movement is committed. Returns commits a second. */
async function load(
  payments: Payments,
  drawPair: () => [Account, Account],
  durationMs: number,
): Promise<number> {
  const began = performance.now()
  let done = 0
  const caller = async () => {
    while (performance.now() - began < durationMs) {
      await payments.submit(movement(drawPair()))
      done++
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, caller))
  return (done / (performance.now() - began)) * 1_000
}

/** A movement while 2000 a second arrive, beside a movement without other load. */
async function latencies(payments: Payments, drawPair: () => [Account, Account]): Promise<void> {
  const found: Record<'alone' | 'steady', { p50: number[]; p99: number[] }> = {
    alone: { p50: [], p99: [] },
    steady: { p50: [], p99: [] },
  }
  for (let round = 0; round < LATENCY_ROUNDS; round++) {
    for (const [name, run] of [
      ['alone', alone],
      ['steady', steady],
    ] as const) {
      const latenciesMs = await run(payments, drawPair)
      found[name].p50.push(quantile(latenciesMs, 0.5))
      found[name].p99.push(quantile(latenciesMs, 0.99))
    }
  }
  const said = (name: 'alone' | 'steady') =>
    `p50 ${median(found[name].p50).toFixed(1)} ms, p99 ${median(found[name].p99).toFixed(1)} ms`
  const ratio = median(found.steady.p99) / median(found.alone.p99)
  console.log(
    `  one durable movement at ${STEADY_PER_S}/s: ${said('steady')}; alone: ${said('alone')}; p99 ${ratio.toFixed(1)}x (must 5x, aim 2x)`,
  )
}

async function alone(payments: Payments, drawPair: () => [Account, Account]): Promise<number[]> {
  const latenciesMs: number[] = []
  const began = performance.now()
  while (performance.now() - began < STEADY_MS) {
    const asked = performance.now()
    await payments.submit(movement(drawPair()))
    latenciesMs.push(performance.now() - asked)
  }
  return latenciesMs
}

/** An open loop: a late movement does not delay the next. */
async function steady(payments: Payments, drawPair: () => [Account, Account]): Promise<number[]> {
  const latenciesMs: number[] = []
  const began = performance.now()
  const running: Promise<void>[] = []
  for (let sent = 0; performance.now() - began < STEADY_MS;) {
    const due = ((performance.now() - began) / 1_000) * STEADY_PER_S
    for (; sent < due; sent++) {
      const asked = performance.now()
      running.push(
        payments
          .submit(movement(drawPair()))
          .then(() => void latenciesMs.push(performance.now() - asked)),
      )
    }
    await sleep(1)
  }
  await Promise.all(running)
  return latenciesMs
}

/** Microseconds a transfer; the batches follow each other. */
async function cost(bank: Bank, drawPair: () => [Account, Account]): Promise<number> {
  const eachUs: number[] = []
  for (let times = 0; times < 60; times++) {
    const linked = Array.from({ length: BATCH_SIZE }, () => movement(drawPair()))
    const began = performance.now()
    await bank.move(linked)
    eachUs.push(((performance.now() - began) * 1_000) / BATCH_SIZE)
  }
  return median(eachUs)
}

function tpcb(): number {
  const said = pgbench(
    '-n',
    '-c',
    String(PGBENCH_CLIENTS),
    '-j',
    '2',
    '-T',
    String(ROUND_MS / 1_000),
  )
  return Number(/tps = ([\d.]+)/.exec(said)![1])
}

function pgbench(...args: string[]): string {
  const { host, port, user } = embedded.connection
  return execFileSync('pgbench', ['-h', host, '-p', String(port), '-U', user, ...args, 'tpcb'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
}

function draw(): number {
  return 1 + Math.floor(Math.random() * PEOPLE)
}

function median(values: number[]): number {
  return quantile(values, 0.5)
}

function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!
}
