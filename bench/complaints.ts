/**
 * Measures a complaint about a minor: from the press of the complainer until the call of the accused has ended, and until
 * the evidence is sealed. The baseline is a call that its user ends.
 *
 * Takes `--rounds=100`. Both kinds of end alternate.
 */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { addPerson } from '@duet/testkit/people.ts'
import { openTestApp, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { median } from './figures/median.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '100' } } })
const ROUNDS = Number(values.rounds)
const POLL_MS = 2

interface Pair {
  readonly testApp: TestApp
  readonly guy: TestUser
  readonly girl: TestUser
}

const testApp = await openTestApp()
const pair = {
  testApp,
  guy: await addPerson(testApp, 'boris'),
  girl: await addPerson(testApp, 'anna'),
}
const [ended, removed, sealed]: [number[], number[], number[]] = [[], [], []]
for (let round = 0; round < ROUNDS; round += 1) {
  ended.push(await endCall(pair))
  const times = await complain(pair)
  removed.push(times.removed)
  sealed.push(times.sealed)
}
await testApp.close()
report('a user ends the call', ended)
report('a complaint ends the call', removed)
report('the evidence is sealed', sealed)

async function endCall({ guy, girl }: Pair): Promise<number> {
  const { session_id } = await openCall()
  const began = performance.now()
  await guy.act('BREAK_SESSION', { session_id })
  await girl.heard('close_session')
  return performance.now() - began
}

async function complain({ guy, girl }: Pair): Promise<{ removed: number; sealed: number }> {
  const { session_id } = await openCall()
  const began = performance.now()
  const sent = guy.act('TO_COMPLAIN', {
    reason: 'child',
    user_id: girl.id,
    comment: '',
    session_id,
  })
  await girl.heard('close_session')
  await girl.heard('banned')
  const end = performance.now() - began
  const { complaint_id } = await sent
  const isSealed = async () => {
    const { files } = await testApp.duet<{ files: { is_whole: boolean }[] }>(
      ...(['seal', 'show', complaint_id, '--as', 'bench'] as const),
    )
    return files.length > 0 && files.every(({ is_whole }) => is_whole)
  }
  while (!(await isSealed())) await sleep(POLL_MS)
  const seal = performance.now() - began
  await testApp.duet(
    ...(['complaints', 'decide', complaint_id, '--decision', 'warning'] as const),
    ...(['--reason', 'other', '--comment', 'bench'] as const),
  )
  return { removed: end, sealed: seal }
}

/** A connected call of the two, an hour of their clock later, so that no limit refuses. */
async function openCall() {
  const { guy, girl } = pair
  await testApp.leap('61 min')
  for (const one of [guy, girl]) {
    if (!one.wire!.socket.connected) await one.comeBack()
    one.forget()
  }
  const call = await inCall(testApp, pair)
  await call.connect()
  return call
}

function report(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((one, other) => one - other)
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1]!
  console.log(
    `${name}: n ${times.length}, median ${median([...times]).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at most ${sorted.at(-1)!.toFixed(1)} ms`,
  )
}
