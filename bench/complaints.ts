/**
 * Measures complaints about minors (goals C1 and C2) in a real server process, while other calls report, and with every other
 * service down: from the press of the complainer until the call of the accused has ended and the accused is banned,
 * and until the evidence is sealed. The baseline is a call that its user ends. Some times the server is killed right after the
 * answer: then the time begins when it serves again, and lasts until it refuses the accused a search. At the end all sealed evidence is checked.
 *
 * Takes `--complaints=200`, `--couples=20` (each page reports five times a second), `--kills=20` of the complaints.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { refusals } from '@duet/protocol/kernel/refusals.ts'
import { ROLES } from '@duet/protocol/kernel/roles.ts'
import { CallClient } from '@duet/testkit/calls/call-client.ts'
import { CallWitness } from '@duet/testkit/calls/call-witness.ts'
import { ServerProcess, freePort, freshFolder } from '@duet/testkit/server-process.ts'
import { median } from './figures/median.ts'

const { values } = parseArgs({
  options: {
    complaints: { type: 'string', default: '200' },
    couples: { type: 'string', default: '20' },
    kills: { type: 'string', default: '20' },
  },
})
const [COMPLAINTS, COUPLES, KILLS] = [values.complaints, values.couples, values.kills].map(
  Number,
) as [number, number, number]
const POLL_MS = 5
const LIMIT_MS = 30_000
const REFUSED = `error_${refusals.banned.code}`
/** Nothing listens there: mail, alarms, translation, relay, captcha and fingerprints are all down. */
const SERVICES_DOWN = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Duet <no-reply@duet.example>',
  ALARM_WEBHOOK_URL: 'http://127.0.0.1:9/alarm',
  TRANSLATE_URL: 'http://127.0.0.1:9',
  TURN_URLS: 'turn:127.0.0.1:9',
  TURN_SECRET: 'only-for-benches-0123456789-abcdefghij',
}
const SETTINGS = {
  rematch_minutes: 0,
  rematch_last_only: 0,
  absences_an_hour: 100,
  bulk_warnings_max: 10_000,
}

const folder = await freshFolder('complaints')
const server = new ServerProcess({
  data_dir: folder.path,
  port: await freePort(),
  env: SERVICES_DOWN,
})
const pages = new Map<number, CallClient>()
const times = { ended: [], removed: [], restarted: [], sealed: [] } as Record<
  'ended' | 'removed' | 'restarted' | 'sealed',
  number[]
>
try {
  await server.start()
  await enter()
  const complaints: number[] = []
  for (let round = 0; round < COMPLAINTS; round += 1) {
    times.ended.push(await endCall())
    const isKilled =
      Math.floor((round * KILLS) / COMPLAINTS) < Math.floor(((round + 1) * KILLS) / COMPLAINTS)
    complaints.push(await complain(isKilled))
  }
  let lost = 0
  for (const complaint_id of complaints) if (!(await isSealed(complaint_id))) lost += 1
  report('a user ends the call', times.ended)
  report('a complaint ends the call and bans the accused', times.removed)
  report('a killed server serves again and refuses the accused a search', times.restarted)
  report('the evidence is sealed', times.sealed)
  console.log(
    `sealed evidence that is missing or not whole at the end: ${lost} of ${complaints.length}`,
  )
} finally {
  for (const page of pages.values()) await page.close()
  await server.kill()
  await folder.remove()
}

async function endCall(): Promise<number> {
  const page = await runningGuy()
  const girl = pages.get(page.partner_id!)!
  const began = performance.now()
  const over = until(girl, 'close_session')
  page.hangUp()
  return (await over) - began
}

/** A complaint from its press until everything has happened; then staff lift the suspension, so that she comes again. */
async function complain(isKilled: boolean): Promise<number> {
  const page = await runningGuy()
  const girl = pages.get(page.partner_id!)!
  let began = performance.now()
  const removed = [until(girl, 'close_session'), until(girl, 'banned')]
  const complaint_id = await page.complain()
  if (isKilled) {
    // Events from before the end of the server do not matter.
    void Promise.allSettled(removed)
    await server.kill()
    await server.start()
    began = performance.now()
    times.restarted.push((await until(girl, REFUSED)) - began)
  } else times.removed.push(Math.max(...(await Promise.all(removed))) - began)
  while (!(await isSealed(complaint_id))) await sleep(POLL_MS)
  if (!isKilled) times.sealed.push(performance.now() - began)
  await server.duet(
    ...(['complaints', 'decide', complaint_id, '--decision', 'warning'] as const),
    ...(['--reason', 'other', '--comment', 'bench'] as const),
  )
  return complaint_id
}

async function isSealed(complaint_id: number): Promise<boolean> {
  const { files } = await server.duet<{ files: { is_whole: boolean }[] }>(
    ...(['seal', 'show', complaint_id, '--as', 'bench'] as const),
  )
  return files.length > 0 && files.every(({ is_whole }) => is_whole)
}

/** A guy in a call with frames, each time another. */
async function runningGuy(): Promise<CallClient> {
  const until = performance.now() + LIMIT_MS
  while (performance.now() < until) {
    for (const [id, page] of pages) {
      if (page.side !== 'guy' || page.partner_id === undefined) continue
      pages.delete(id)
      pages.set(id, page)
      return page
    }
    await sleep(POLL_MS)
  }
  throw new Error('No call runs')
}

function until(page: CallClient, event: string): Promise<number> {
  const before = page.hears
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`${event} did not come`)), LIMIT_MS)
    page.hears = (heard) => {
      before(heard)
      if (heard !== event) return
      clearTimeout(late)
      resolve(performance.now())
    }
  })
}

async function enter(): Promise<void> {
  for (const [key, value] of Object.entries(SETTINGS))
    await server.duet('settings', 'set', key, value)
  const system = (await (await fetch(`${server.origin}/api/system`)).json()) as {
    data: { socket_secret_key: string }
  }
  const key = Buffer.from(system.data.socket_secret_key, 'base64')
  const witness = new CallWitness(LIMIT_MS)
  for (let number = 1; number <= COUPLES; number += 1)
    for (const side of ROLES) {
      const { id, token } = await server.duet<{ id: number; token: string }>(
        ...(['user', 'add', '--role', side, '--nick', `${side} ${number}`] as const),
        ...(['--email', `${side}-${number}@duet.example`] as const),
        ...(['--password', `${side}-secret-${number}`] as const),
        ...(side === 'girl' ? ['--verified', '--avatar', 'demo'] : []),
      )
      if (side === 'guy') await server.duet('grant', id, 500, 'diamond', '--reason', 'bench')
      const page = new CallClient({ origin: server.origin, key, token, side, witness })
      pages.set(id, page)
      page.start()
    }
}

function report(name: string, measured: readonly number[]): void {
  if (measured.length === 0) return
  const sorted = measured.toSorted((one, other) => one - other)
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1]!
  console.log(
    `${name}: n ${sorted.length}, median ${median([...measured]).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, at most ${sorted.at(-1)!.toFixed(0)} ms`,
  )
}
