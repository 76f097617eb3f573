import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { readConfig } from '@duet/server/config.ts'
import { createApp, type RunningApp } from '@duet/server/create-app.ts'
import { callProcess, dispatchEvent } from '@duet/server/modules/calls/process.ts'
import { ledgerCheck } from '@duet/server/modules/ledger/index.ts'
import type { EmbeddedDatabase } from '@duet/server/platform/database/embedded/embedded.ts'
import { migrate } from '@duet/server/platform/database/migrate.ts'
import { attach, type Database } from '@duet/server/platform/database/open.ts'
import { databaseCpuMs, ownCpuMs } from '../figures/machine-time.ts'
import { median } from '../figures/median.ts'
import {
  makeLiveCalls,
  METER_AT_MS,
  RENEWAL_AT_MS,
  REPORT_SECONDS,
  getReport,
  REPORTS_BEFORE,
  WAVE_SECONDS,
} from './live-calls.ts'
import { SteppedClock } from './stepped-clock.ts'

/** A meter event is sent this often while the guy pays. */
const METER_SECONDS = 10
const SECOND_MS = 1000
const RESTARTS = 3

/** Microseconds each: passed time, CPU time of this process and of the database. */
export interface Cost {
  readonly wall_us: number
  readonly cpu_us: number
  readonly database_cpu_us: number
}

export interface CallFigures {
  readonly count: number
  readonly tick: Cost
  readonly renewal: Cost
  readonly meter: Cost
  readonly report: Cost
  readonly restart: { readonly ms: number; readonly empty_ms: number }
  /** CPU time in a second of the calls, as a part of one core. */
  readonly cpu_share: number
  readonly isExact: boolean
}

interface CallBench {
  readonly embedded: EmbeddedDatabase
  readonly folder: string
  readonly count: number
  /** Called in the middle of the rounds, with nothing else running. */
  readonly between: () => void
}

/** Measures this many calls on a database of their own. */
export async function measureCalls(bench: CallBench): Promise<CallFigures> {
  const { embedded, count } = bench
  const database = await freshDatabase(embedded, `calls_${count}`)
  const server = new MeasuredCalls(bench, database)
  try {
    await server.start()
    const emptyMs = await server.restart()
    const calls = await makeLiveCalls(server.running.app, database, count)
    const { costs, cpu_share } = await server.wave(calls, bench.between)
    const restart = { ms: await server.restart(), empty_ms: emptyMs }
    return { count, ...costs, cpu_share, restart, isExact: await server.isExact() }
  } finally {
    await server.kill()
    await database.stop()
  }
}

type Work = 'tick' | 'renewal' | 'meter' | 'report'

class MeasuredCalls {
  #running: RunningApp | undefined
  readonly #bench: CallBench
  readonly #database: Database
  readonly #clock = new SteppedClock()
  readonly #spent: Record<Work, Cost[]> = { tick: [], renewal: [], meter: [], report: [] }

  constructor(bench: CallBench, database: Database) {
    this.#bench = bench
    this.#database = database
  }

  get running(): RunningApp {
    if (!this.#running) throw new Error('Impossible: it is measured while it runs')
    return this.#running
  }

  async kill(): Promise<void> {
    this.#clock.forget()
    await this.#running?.kill()
  }

  /** Returns the milliseconds until the server listens. `start` ends after the grace times of all calls have begun. */
  async start(): Promise<number> {
    const dataDir = join(this.#bench.folder, `files-${this.#bench.count}`)
    await mkdir(dataDir, { recursive: true })
    const env = {
      NODE_ENV: 'development',
      DEMO: 'off',
      SECOND_PERSON: 'off',
      DATA_DIR: dataDir,
      PORT: '0',
    }
    const began = performance.now()
    this.#running = await createApp({
      config: {
        ...readConfig({ ...env, SECRET_KEY: 'only-for-the-bench-0123456789-abcdef' }),
        data_dir: dataDir,
      },
      database: this.#database,
      clock: this.#clock,
      log: pino({ level: 'error' }),
      autonomous: false,
    })
    await this.running.start()
    return performance.now() - began
  }

  /** Kills the server and starts it again, several times: a call to which no page returned reads the same each time. */
  async restart(): Promise<number> {
    const foundMs: number[] = []
    for (let times = 0; times < RESTARTS; times += 1) {
      await this.kill()
      foundMs.push(await this.start())
      await this.#settled()
    }
    return median(foundMs)
  }

  /** Every second of a wave: the meter events, the renewals, the round, the reports. */
  async wave(
    { ids, session_guid }: { ids: readonly number[]; session_guid: string },
    between: () => void,
  ): Promise<{ costs: Record<Work, Cost>; cpu_share: number }> {
    const { app } = this.running
    const posted = () => {
      let sum = 0
      for (const { state } of callProcess(app).all()) sum += state.money.money_step
      return sum
    }
    const postedBefore = posted()
    for (let second = 1; second <= WAVE_SECONDS; second += 1) {
      await this.#measured('meter', () => this.#clock.step(METER_AT_MS))
      await this.#measured('renewal', () => this.#clock.step(RENEWAL_AT_MS - METER_AT_MS))
      const round = () => this.#clock.step(SECOND_MS - RENEWAL_AT_MS)
      if (second % REPORT_SECONDS === 1) await this.#measured('tick', round)
      else {
        round()
        await this.#settled()
        const reports = REPORTS_BEFORE + second / REPORT_SECONDS
        await this.#measured('report', () => {
          for (const side of ['guy', 'girl'] as const) {
            const event = getReport(side, session_guid, reports)
            for (const id of ids)
              app.background('reporting of a call', dispatchEvent(app, id, event))
          }
        })
      }
      if (second === WAVE_SECONDS / 2) between()
    }
    // A call renews after 48 to 50 s, so a few of them do it twice.
    const renewals = posted() - postedBefore
    if (renewals < ids.length || renewals > ids.length * 1.1)
      throw new Error(`${renewals} renewals of ${ids.length} calls: the rules have changed`)
    return this.#figures(ids.length, renewals)
  }

  /** The ledger agrees with itself, and the calls with the ledger. */
  async isExact(): Promise<boolean> {
    const { rows } = await this.#database.pool.query<{ exact: boolean }>(
      `select (select sum(posted_his::bigint) from video_sessions) = (select sum(amount::bigint) from transfers where what = 'call_public' and asset = 'diamond')
          and (select sum(posted_hers::bigint) from video_sessions) = (select sum(amount::bigint) from transfers where what = 'call_public' and asset = 'coin')
          and (select sum(held_units::bigint) from video_sessions) = (select sum(held::bigint) from accounts where id > 0) as exact`,
    )
    return rows[0]!.exact && (await ledgerCheck(this.running.app.db)).ok
  }

  async #measured(work: Work, run: () => void): Promise<void> {
    const pid = this.#bench.embedded.pid()
    const [cpuMs, databaseMs, began] = [ownCpuMs(), databaseCpuMs(pid), performance.now()]
    run()
    await this.#settled()
    this.#spent[work].push({
      wall_us: (performance.now() - began) * 1000,
      cpu_us: (ownCpuMs() - cpuMs) * 1000,
      database_cpu_us: (databaseCpuMs(pid) - databaseMs) * 1000,
    })
  }

  #figures(count: number, renewals: number): { costs: Record<Work, Cost>; cpu_share: number } {
    const each = (work: Work, times: number): Cost => ({
      wall_us: sum(this.#spent[work], 'wall_us') / times,
      cpu_us: sum(this.#spent[work], 'cpu_us') / times,
      database_cpu_us: sum(this.#spent[work], 'database_cpu_us') / times,
    })
    const rounds = WAVE_SECONDS / REPORT_SECONDS
    const all = Object.values(this.#spent).flat()
    return {
      costs: {
        tick: {
          ...each('tick', rounds * count),
          wall_us: median(this.#spent.tick.map(({ wall_us }) => wall_us)) / count,
        },
        renewal: each('renewal', renewals),
        meter: each('meter', (WAVE_SECONDS / METER_SECONDS) * count),
        report: each('report', 2 * rounds * count),
      },
      cpu_share: (sum(all, 'cpu_us') + sum(all, 'database_cpu_us')) / (WAVE_SECONDS * 1e6),
    }
  }

  /** Waits until nothing is running. It looks once a millisecond, because looking without a pause would count as work. */
  async #settled(): Promise<void> {
    const { pending } = this.running
    const { pool } = this.#database
    const isIdle = () =>
      pending.count === 0 && pool.waitingCount === 0 && pool.idleCount === pool.totalCount
    for (let quiet = 0; quiet < 2; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve))
      if (isIdle()) continue
      while (!isIdle()) await sleep(1)
      quiet = -1
    }
  }
}

function sum<Key extends string>(all: readonly Record<Key, number>[], key: Key): number {
  return all.reduce((total, one) => total + one[key], 0)
}

async function freshDatabase(embedded: EmbeddedDatabase, name: string): Promise<Database> {
  const client = new pg.Client(embedded.connection)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const connection = { ...embedded.connection, database: name }
  await migrate(connection)
  return attach(connection)
}
