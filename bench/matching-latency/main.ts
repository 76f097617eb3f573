/**
 * The time from MATCH_AWAIT until both sockets have search_pair, while guys arrive at a steady rate and girls wait. The
 * baseline is an echo of Socket.IO and AES-GCM with as many packets a second. Each server runs in its own process; this
 * process runs the same raw client for both. Rounds are interleaved; figures are medians of the rounds. Prints figures,
 * asserts nothing.
 *
 *     node bench/matching-latency/main.ts --pairs=1000 --rate=500
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { open, seal } from '@duet/server/lib/cipher.ts'
import { type MeasuredServer, startEcho, startProduct } from '../figures/measured-server.ts'
import { median, quantile } from '../figures/median.ts'
import { databaseCpuUs } from '../messenger-peers/peer.ts'
import { atOnce } from '../sockets/at-once.ts'
import { answerIn, enterAs, type Person, fetchSocketKey } from '../sockets/product-session.ts'
import { asking, connect, packetIn, type RawSocket } from '../sockets/raw-client.ts'
import { makeSearchers } from './searchers.ts'

const PAIRS = toNumber('pairs', 500)
const RATE = toNumber('rate', 100)
const ROUNDS = 3
const CONNECTING_MAX = 50
const WAITING_MAX = 25
const FRAME_BYTES_MAX = 1024 * 1024
const TOLD_WITHIN_MS = 8_000

const folder = await mkdtemp(join(tmpdir(), 'duet-bench-matching-latency-'))
try {
  await measure()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function measure(): Promise<void> {
  const { guys, girls } = await makeSearchers(folder, PAIRS)
  const product = await startProduct(folder)
  const echoKey = randomBytes(32)
  const echo = await startEcho(echoKey)
  const key = await fetchSocketKey(product)
  const enter = (members: typeof guys) =>
    atOnce(members, CONNECTING_MAX, (member) => enterAs(product, key, member))
  const people = { guys: await enter(guys), girls: await enter(girls) }
  const bare = await atOnce(Array.from({ length: 2 * PAIRS }), CONNECTING_MAX, () =>
    connect(echo.port),
  )
  const told: number[][] = []
  const echoed: number[][] = []
  const matchCpu: { server_us: number; database_us: number }[] = []
  for (let round = -1; round < ROUNDS; round += 1) {
    const before = await measureCpu(product)
    const { latenciesMs, packets } = await matches(people, key)
    const after = await measureCpu(product)
    // A packet asked and a packet answered.
    const asksPerSecond = (RATE * packets) / PAIRS / 2
    const base = await echoes(bare, echoKey, asksPerSecond)
    if (round < 0) continue
    told.push(latenciesMs)
    matchCpu.push({
      server_us: (after.server_us - before.server_us) / PAIRS,
      database_us: (after.database_us - before.database_us) / PAIRS,
    })
    echoed.push(base)
    if (round === 0)
      console.log(
        `  ${2 * PAIRS} clients, ${RATE} matches/s, ${(packets / PAIRS).toFixed(1)} packets a match: the echo gets ${Math.round(asksPerSecond)} a second`,
      )
  }
  await Promise.all([product.stop(), echo.stop()])
  const of = (rounds: number[][], part: number) => median(rounds.map((ms) => quantile(ms, part)))
  const summary = (rounds: number[][]) =>
    `p50 ${of(rounds, 0.5).toFixed(1)} ms, p99 ${of(rounds, 0.99).toFixed(1)} ms`
  console.log(`  echo of a packet                     ${summary(echoed)}`)
  console.log(`  MATCH_AWAIT until both have the pair ${summary(told)}`)
  console.log(
    `  p99 ${(of(told, 0.99) - of(echoed, 0.99)).toFixed(1)} ms above the echo's (must 5 ms, aim 2 ms)`,
  )
  const cpuMs = (of: (cpu: (typeof matchCpu)[number]) => number) =>
    (median(matchCpu.map(of)) / 1000).toFixed(2)
  console.log(
    `  CPU of a match with two searches that begin and end: server ${cpuMs((cpu) => cpu.server_us)} ms, database ${cpuMs((cpu) => cpu.database_us)} ms`,
  )
}

async function measureCpu(
  product: MeasuredServer,
): Promise<{ server_us: number; database_us: number }> {
  return {
    server_us: (await product.used()).cpu_us,
    database_us: await databaseCpuUs(folder),
  }
}

interface People {
  readonly guys: readonly Person[]
  readonly girls: readonly Person[]
}

/** Girls wait, guys arrive. Then all users leave, so that the next round begins with empty lists. */
async function matches(
  { guys, girls }: People,
  key: Buffer,
): Promise<{ latenciesMs: number[]; packets: number }> {
  const act = (action: string) => asking(seal(key, { action, data: {} }))
  const accepted = async ({ socket }: Person, frame: Buffer) => {
    const answer = answerIn(key, await socket.ask(frame))
    if (!answer.data) throw new Error(`refused: ${JSON.stringify(answer)}`)
  }
  await atOnce(girls, WAITING_MAX, (girl) => accepted(girl, act('MATCH_AWAIT')))
  const askedAt: number[] = []
  const firstAt = new Map<string, { guy: number | undefined; at: number }>()
  const latenciesMs: number[] = []
  let packets = 0
  const listen = ({ socket, event_key }: Person, guy: number | undefined) => {
    socket.onEvent = (text) => {
      packets += 1
      if (!text.startsWith('42["search_pair"')) return
      const at = performance.now()
      const [, sealed] = JSON.parse(text.slice(2)) as [string, string]
      const { pair_id } = open(event_key, sealed, FRAME_BYTES_MAX) as { pair_id: string }
      const first = firstAt.get(pair_id)
      if (!first) return void firstAt.set(pair_id, { guy, at })
      latenciesMs.push(at - askedAt[(guy ?? first.guy)!]!)
    }
  }
  girls.forEach((girl) => listen(girl, undefined))
  guys.forEach((guy, index) => listen(guy, index))
  const frame = act('MATCH_AWAIT')
  await openLoop(guys.length, RATE, async (index) => {
    askedAt[index] = performance.now()
    await accepted(guys[index]!, frame)
    packets += 2
  })
  const until = performance.now() + TOLD_WITHIN_MS
  while (latenciesMs.length < guys.length && performance.now() < until) await sleep(10)
  if (latenciesMs.length < guys.length)
    throw new Error(`${guys.length - latenciesMs.length} pairs of ${guys.length} were not told`)
  const result = { latenciesMs: [...latenciesMs], packets }
  await atOnce([...guys, ...girls], WAITING_MAX, (one) => accepted(one, act('OUT_FROM_SEARCH')))
  return result
}

async function echoes(
  sockets: readonly RawSocket[],
  key: Buffer,
  asksPerSecond: number,
): Promise<number[]> {
  const frame = asking(seal(key, { action: 'MATCH_AWAIT', data: { state: 'waiting' } }))
  const latenciesMs: number[] = []
  await openLoop(Math.round((asksPerSecond * PAIRS) / RATE), asksPerSecond, async (index) => {
    const asked = performance.now()
    const text = await sockets[index % sockets.length]!.ask(frame)
    packetIn(text)
    latenciesMs.push(performance.now() - asked)
  })
  return latenciesMs
}

/** Begins this number of tasks at a steady rate. A late task does not delay the next task. */
async function openLoop(
  times: number,
  perSecond: number,
  run: (index: number) => Promise<void>,
): Promise<void> {
  const began = performance.now()
  const running: Promise<void>[] = []
  while (running.length < times) {
    const due = Math.min(times, ((performance.now() - began) / 1000) * perSecond)
    while (running.length < due) running.push(run(running.length))
    await sleep(1)
  }
  await Promise.all(running)
}

function toNumber(name: string, usual: number): number {
  const prefix = `--${name}=`
  const given = process.argv.find((argument) => argument.startsWith(prefix))
  return given === undefined ? usual : Number(given.slice(prefix.length))
}
