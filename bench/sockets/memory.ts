import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { atOnce } from './at-once.ts'
import type { BenchMember } from './members.ts'
import { type MeasuredServer, startEcho, startProduct } from '../figures/measured-server.ts'
import { logIn, fetchSocketKey } from './product-session.ts'
import { connect, type RawSocket } from './raw-client.ts'

const sizes = [2000, 6000, 9000] as const
const CONCURRENCY = 50
const SETTLE_MS = 1500

/**
 * The resident memory of one more idle socket, after a full collection. The first sockets also pay for warm code and
 * grown pools, so only the growth between two sizes counts.
 */
export async function compareMemory({
  data_dir,
  members,
}: {
  data_dir: string
  members: readonly BenchMember[]
}) {
  const echo = await startEcho(randomBytes(32))
  const base = await grow(echo, members, () => connect(echo.port))
  await echo.stop()
  const product = await startProduct(data_dir)
  const key = await fetchSocketKey(product)
  const ours = await grow(product, members, (member) => logIn(product, key, member))
  await product.stop()
  const said = ({ first, later }: Growth) =>
    `${first.toFixed(1)} KB from ${sizes[0]} to ${sizes[1]} sockets, ${later.toFixed(1)} KB to ${sizes[2]}`
  console.log(`  idle bare socket            ${said(base)}`)
  console.log(`  idle socket of a member     ${said(ours)}`)
  console.log(
    `  memory per idle socket: ${(ours.all / base.all).toFixed(2)}x of the bare, ${ours.all.toFixed(1)} KB (must 27 KB, aim 20 KB)`,
  )
}

/** KB of an additional socket. */
interface Growth {
  readonly first: number
  readonly later: number
  readonly all: number
}

async function grow(
  server: MeasuredServer,
  members: readonly BenchMember[],
  open: (member: BenchMember) => Promise<RawSocket>,
): Promise<Growth> {
  const opened: RawSocket[] = []
  const resident: number[] = []
  for (const size of sizes) {
    opened.push(...(await atOnce(members.slice(opened.length, size), CONCURRENCY, open)))
    await sleep(SETTLE_MS)
    resident.push((await server.used('collected')).rss_bytes)
  }
  const lost = opened.filter((socket) => !socket.isOpen).length
  if (lost > 0) throw new Error(`${lost} sockets were lost while they did nothing`)
  for (const socket of opened) socket.close()
  const each = (from: number, to: number) =>
    (resident[to]! - resident[from]!) / (sizes[to]! - sizes[from]!) / 1024
  return { first: each(0, 1), later: each(1, 2), all: each(0, 2) }
}
