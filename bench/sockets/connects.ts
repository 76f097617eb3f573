import { randomBytes } from 'node:crypto'
import { median } from '../figures/median.ts'
import { atOnce } from './at-once.ts'
import type { BenchMember } from './members.ts'
import { type MeasuredServer, startEcho, startProduct } from '../figures/measured-server.ts'
import { logIn, fetchSocketKey } from './product-session.ts'
import { connect, type RawSocket } from './raw-client.ts'

const CONNECTS = 1500
const CONCURRENCY = 300
const ROUNDS = 5

/** Connect and AUTH by token, as after a restart of the server, beside a bare connect. */
export async function compareConnects({
  data_dir,
  members,
}: {
  data_dir: string
  members: readonly BenchMember[]
}) {
  const echo = await startEcho(randomBytes(32))
  const product = await startProduct(data_dir)
  const key = await fetchSocketKey(product)
  const found: Record<'bare' | 'auth', { per_second: number[]; cpu_us: number[] }> = {
    bare: { per_second: [], cpu_us: [] },
    auth: { per_second: [], cpu_us: [] },
  }
  const who = members.slice(0, CONNECTS)
  for (let round = -1; round < ROUNDS; round += 1) {
    const took = {
      bare: await storm(echo, who, () => connect(echo.port)),
      auth: await storm(product, who, (member) => logIn(product, key, member)),
    }
    if (round < 0) continue
    for (const name of ['bare', 'auth'] as const) {
      found[name].per_second.push(took[name].per_second)
      found[name].cpu_us.push(took[name].cpu_us)
    }
  }
  await Promise.all([echo.stop(), product.stop()])
  const said = (name: keyof typeof found) =>
    `${Math.round(median(found[name].per_second))}/s, ${Math.round(median(found[name].cpu_us))} µs of the server's CPU`
  console.log(`  bare connect                ${said('bare')}`)
  console.log(`  connect and AUTH by token   ${said('auth')}`)
  console.log(
    `  connects a second: ${(median(found.auth.per_second) / median(found.bare.per_second)).toFixed(2)}x of the bare (must 0.3x, aim 0.5x)`,
  )
}

async function storm(
  server: MeasuredServer,
  members: readonly BenchMember[],
  open: (member: BenchMember) => Promise<RawSocket>,
): Promise<{ per_second: number; cpu_us: number }> {
  const before = await server.used()
  const began = performance.now()
  const opened = await atOnce(members, CONCURRENCY, open)
  const seconds = (performance.now() - began) / 1000
  const { cpu_us } = await server.used()
  for (const socket of opened) socket.close()
  return { per_second: members.length / seconds, cpu_us: (cpu_us - before.cpu_us) / members.length }
}
