/**
 * Messages that the product's sockets store, acknowledge and deliver between pairs of users. The baselines are a relay
 * that stores nothing and plain INSERTs. Each server runs in its own process; the clients run here. Rounds are
 * interleaved; figures are medians of the rounds.
 *
 *     node bench/messenger-peers/main.ts --users=200,1000 --rates=500,1000
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, quantile } from '../figures/median.ts'
import { insertPeer } from './insert-peer.ts'
import { type Load, pace, saturate } from './load.ts'
import { makePairs } from './pairs.ts'
import type { ComparedPeer } from './peer.ts'
import { productPeer } from './product-peer.ts'
import { relayPeer } from './relay-peer.ts'

const ROUNDS = 3
const USERS = toNumbers('users', '200,1000')
const RATES = toNumbers('rates', '500,1000')
/** Of the users who send at these rates. */
const PACED_USERS = Math.max(...USERS)

const folder = await mkdtemp(join(tmpdir(), 'duet-bench-messenger-peers-'))
try {
  await measure()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  const users = Math.max(...USERS)
  const pairs = await makePairs(join(folder, 'product'), users / 2)
  const peers = [
    await relayPeer(pairs),
    await insertPeer(join(folder, 'plain'), users),
    await productPeer(join(folder, 'product'), pairs),
  ]
  const sent = new Map(peers.map(({ name }) => [name, 0]))
  const counted = async (peer: ComparedPeer, work: Promise<Load>) => {
    const load = await work
    sent.set(peer.name, sent.get(peer.name)! + load.waitsMs.length)
    return load
  }
  try {
    for (const count of USERS)
      await compare(peers, `${count} users, each with one message on its way`, (peer) =>
        counted(peer, saturate(peer, count)),
      )
    for (const rate of RATES)
      await compare(peers, `${PACED_USERS} users, ${rate} messages/s in all`, (peer) =>
        counted(peer, pace(peer, PACED_USERS, rate)),
      )
  } finally {
    for (const peer of peers) {
      const stored = await peer.finish()
      console.log(`  ${peer.name}: ${sent.get(peer.name)} acknowledged, ${stored} stored`)
    }
  }
}

async function compare(
  peers: readonly ComparedPeer[],
  title: string,
  load: (peer: ComparedPeer) => Promise<Load>,
): Promise<void> {
  const loads = peers.map(() => [] as Load[])
  // The first round warms up.
  for (let round = -1; round < ROUNDS; round += 1)
    for (const [at, peer] of peers.entries()) {
      const found = await load(peer)
      if (round >= 0) loads[at]!.push(found)
    }
  const figures = loads.map((rounds) => ({
    per_s: median(rounds.map(({ per_s }) => per_s)),
    cpu_us: median(rounds.map(({ cpu_us }) => cpu_us)),
    p50: median(rounds.map(({ waitsMs }) => quantile(waitsMs, 0.5))),
    p99: median(rounds.map(({ waitsMs }) => quantile(waitsMs, 0.99))),
  }))
  const ours = figures.at(-1)!
  console.log(`  ${title}:`)
  for (const [at, { per_s, cpu_us, p50, p99 }] of figures.entries())
    console.log(
      `    ${peers[at]!.name.padEnd(26)} ${per_s.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${cpu_us.toFixed(0)} µs of CPU; the product: ${(ours.per_s / per_s).toFixed(2)}x messages, ${(ours.p50 / p50).toFixed(2)}x p50, ${(ours.p99 / p99).toFixed(2)}x p99, ${(ours.cpu_us / cpu_us).toFixed(2)}x CPU`,
    )
}

function toNumbers(name: string, otherwise: string): number[] {
  const prefix = `--${name}=`
  const given = process.argv.find((argument) => argument.startsWith(prefix))
  return (given?.slice(prefix.length) ?? otherwise).split(',').map(Number)
}
