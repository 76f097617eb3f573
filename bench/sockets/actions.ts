import { randomBytes } from 'node:crypto'
import { seal } from '@duet/server/lib/cipher.ts'
import { median } from '../figures/median.ts'
import { atOnce } from './at-once.ts'
import type { BenchMember } from './members.ts'
import { type MeasuredServer, startEcho, startProduct } from '../figures/measured-server.ts'
import { answerIn, logIn, fetchSocketKey } from './product-session.ts'
import { asking, connect, type RawSocket } from './raw-client.ts'

/** Enough that no member comes near the limit of 20 a second. */
const SOCKETS = 1500
const CONNECTING_MAX = 50
const REQUESTING_MAX = 200
const ROUNDS = 5
const ROUND_MS = 2500
const WARM_UP_MS = 1500

interface Side {
  readonly server: MeasuredServer
  readonly sockets: readonly RawSocket[]
  readonly frame: Buffer
  /** Length of the right acknowledgement: cheaper to look at than its contents. */
  readonly answer_length: number
  next: number
}

/**
 * The cheapest authenticated action: UNSUBSCRIBE without a user. The client seals the packet once and sends it
 * repeatedly; the servers open every packet. The figure is the CPU time of the server's process, because other programs
 * disturb CPU time least.
 */
export async function compareActions({
  data_dir,
  members,
}: {
  data_dir: string
  members: readonly BenchMember[]
}) {
  const sides = { echo: await echoSide(), product: await productSide(data_dir, members) }
  const cost: Record<keyof typeof sides, number[]> = { echo: [], product: [] }
  const speed: Record<keyof typeof sides, number[]> = { echo: [], product: [] }
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const name of ['echo', 'product'] as const) {
      const { cpu_us, per_second } = await load(sides[name], round < 0 ? WARM_UP_MS : ROUND_MS)
      if (round < 0) continue
      cost[name].push(cpu_us)
      speed[name].push(per_second)
    }
  }
  await Promise.all(Object.values(sides).map(({ server }) => server.stop()))
  const [base, ours] = [median(cost.echo), median(cost.product)]
  const said = (name: keyof typeof sides) =>
    `${median(cost[name]).toFixed(1)} µs of CPU (${Math.round(1e6 / median(cost[name]))} a second and core; ${Math.round(median(speed[name]))}/s here)`
  console.log(`  echo of a packet            ${said('echo')}`)
  console.log(`  cheapest action of a member ${said('product')}`)
  console.log(`  actions per core: ${(base / ours).toFixed(2)}x of the echo (must 0.5x, aim 0.75x)`)
}

async function productSide(dataDir: string, members: readonly BenchMember[]): Promise<Side> {
  const server = await startProduct(dataDir)
  const key = await fetchSocketKey(server)
  const opened = await atOnce(members.slice(0, SOCKETS), CONNECTING_MAX, (member) =>
    logIn(server, key, member),
  )
  const frame = asking(seal(key, { action: 'UNSUBSCRIBE', data: { user_ids: [] } }))
  const first = await opened[0]!.ask(frame)
  if (!answerIn(key, first).data) throw new Error(`UNSUBSCRIBE was refused: ${first}`)
  return { server, sockets: opened, frame, answer_length: first.length, next: 0 }
}

async function echoSide(): Promise<Side> {
  const key = randomBytes(32)
  const server = await startEcho(key)
  const opened = await atOnce(Array.from({ length: SOCKETS }), CONNECTING_MAX, () =>
    connect(server.port),
  )
  // Answers `{ data: {} }`, as the product does.
  const frame = asking(seal(key, { action: 'UNSUBSCRIBE', data: {}, user_ids: [] }))
  const first = await opened[0]!.ask(frame)
  return { server, sockets: opened, frame, answer_length: first.length, next: 0 }
}

async function load(
  side: Side,
  durationMs: number,
): Promise<{ cpu_us: number; per_second: number }> {
  const before = await side.server.used()
  const began = performance.now()
  let done = 0
  const caller = async () => {
    while (performance.now() - began < durationMs) {
      const socket = side.sockets[side.next++ % side.sockets.length]!
      const text = await socket.ask(side.frame)
      if (text.length !== side.answer_length) throw new Error(`an unexpected answer: ${text}`)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: REQUESTING_MAX }, caller))
  const seconds = (performance.now() - began) / 1000
  const { cpu_us } = await side.server.used()
  return { cpu_us: (cpu_us - before.cpu_us) / done, per_second: done / seconds }
}
