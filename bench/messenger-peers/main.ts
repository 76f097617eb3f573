/**
 * Messages that are stored, acknowledged and delivered by the product's sockets, beside a relay that stores nothing and beside
 * plain INSERTs: users in pairs, each sends, waits for the acknowledgement and the delivery, and sends again. The servers are
 * processes of their own, the same raw client is here. Rounds are interleaved; figures are medians of the rounds.
 *
 *     node bench/messenger-peers/main.ts --users=200,1000
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '@duet/server/platform/database/embedded/embedded.ts'
import { attach } from '@duet/server/platform/database/open.ts'
import { median, quantile } from '../figures/median.ts'
import { makePairs } from './pairs.ts'
import { databaseCpuUs, type ComparedPeer, type Say } from './peer.ts'
import { productPeer } from './product-peer.ts'
import { relayPeer } from './relay-peer.ts'

const ROUNDS = 3
const ROUND_MS = 4_000
const USERS = (
  process.argv.find((argument) => argument.startsWith('--users='))?.slice('--users='.length) ??
  '200,1000'
)
  .split(',')
  .map(Number)

const folder = await mkdtemp(join(tmpdir(), 'duet-bench-messenger-peers-'))
try {
  await measure()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  const pairs = await makePairs(join(folder, 'product'), Math.max(...USERS) / 2)
  const peers = [
    await relayPeer(pairs),
    await insertPeer(join(folder, 'plain'), Math.max(...USERS)),
    await productPeer(join(folder, 'product'), pairs),
  ]
  try {
    for (const users of USERS) await compare(peers, users)
  } finally {
    for (const peer of peers) await peer.stop()
  }
}

async function compare(peers: readonly ComparedPeer[], users: number): Promise<void> {
  const loads = peers.map(() => [] as Load[])
  for (let round = -1; round < ROUNDS; round += 1)
    for (const [at, peer] of peers.entries()) {
      const found = await load(peer, users)
      if (round >= 0) loads[at]!.push(found)
    }
  const figures = loads.map((rounds) => ({
    per_s: median(rounds.map(({ per_s }) => per_s)),
    cpu_us: median(rounds.map(({ cpu_us }) => cpu_us)),
    p50: median(rounds.map(({ waitsMs }) => quantile(waitsMs, 0.5))),
    p99: median(rounds.map(({ waitsMs }) => quantile(waitsMs, 0.99))),
  }))
  const ours = figures.at(-1)!
  console.log(`  ${users} users, each with one message on its way:`)
  for (const [at, { per_s, cpu_us, p50, p99 }] of figures.entries())
    console.log(
      `    ${peers[at]!.name.padEnd(28)} ${per_s.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${cpu_us.toFixed(0)} µs of CPU; the product is ${(ours.per_s / per_s).toFixed(2)}x as fast, p50 ${(ours.p50 / p50).toFixed(1)}x, CPU ${(ours.cpu_us / cpu_us).toFixed(1)}x`,
    )
}

interface Load {
  readonly per_s: number
  readonly cpu_us: number
  readonly waitsMs: number[]
}

async function load(peer: ComparedPeer, users: number): Promise<Load> {
  const waitsMs: number[] = []
  const cpuBefore = await peer.cpuUs()
  const began = performance.now()
  const until = began + ROUND_MS
  const talk = async (say: Say) => {
    while (performance.now() < until) waitsMs.push(await say())
  }
  await Promise.all(peer.says.slice(0, users).map(talk))
  const seconds = (performance.now() - began) / 1000
  const cpuUs = (await peer.cpuUs()) - cpuBefore
  return { per_s: waitsMs.length / seconds, cpu_us: cpuUs / waitsMs.length, waitsMs }
}

/** The floor of the database: one statement and one commit for each text, by as many callers. */
async function insertPeer(dataDir: string, users: number): Promise<ComparedPeer> {
  const embedded = await openEmbedded({ data_dir: dataDir })
  const { pool, stop } = attach(embedded.connection, { embedded })
  await pool.query('create table plain (id bigserial primary key, text text not null)')
  const insert = async () => {
    const began = performance.now()
    await pool.query('insert into plain (text) values ($1)', ['Hello, how was your day?'])
    return performance.now() - began
  }
  return {
    name: 'plain INSERTs, no socket',
    says: Array.from({ length: users }, () => insert),
    cpuUs: async () => databaseCpuUs(dataDir),
    stop,
  }
}
