/**
 * Measures whether the time of an answer shows who is a member. Sends logins with a wrong password and requests for a
 * recovery mail, in random order. Half of the addresses belong to members.
 *
 * Takes `--attempts=2000 --only=login` or `recovery`. The bench moves the server's clock, so that no limit refuses.
 */
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { addPerson } from '@duet/testkit/people.ts'
import { randomFrom } from '@duet/testkit/seeded-random.ts'
import { openTestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { median } from './figures/median.ts'

const { values } = parseArgs({
  options: { attempts: { type: 'string', default: '2000' }, only: { type: 'string' } },
})
const ATTEMPTS = Number(values.attempts)
const ADDRESSES = ['boris@duet.example', 'borin@duet.example'] as const
type Ask = (visitor: TestUser, address: string) => Promise<unknown>

/** How many of each address the limits permit before the clock must be moved, and by how much. */
const KINDS: Record<string, { ask: Ask; each: number; rest: string }> = {
  recovery: {
    ask: (visitor, email) => {
      // The token of a guest is good for a day of the bench's clock.
      visitor.token = undefined
      return visitor.get('forgot_password', { email })
    },
    each: 2,
    rest: '61 min',
  },
  login: {
    ask: (visitor, login) =>
      visitor.tryAct('AUTH', {
        device_type: 'web',
        version: '2.0.1',
        tab_id: visitor.tab_id,
        login,
        password: 'not-the-password',
      }),
    each: 15,
    rest: '1 min',
  },
}

for (const [name, kind] of Object.entries(KINDS))
  if (values.only === undefined || values.only === name) await measure(name, kind)

async function measure(name: string, { ask, each, rest }: (typeof KINDS)[string]): Promise<void> {
  const testApp = await openTestApp()
  const random = randomFrom(7)
  await addPerson(testApp, 'boris')
  const visitor = await testApp.guest('a visitor')
  // A captcha in place of an answer would be the same for both.
  await testApp.setting('login_tries_an_hour', '1000')
  await testApp.setting('network_login_tries_an_hour', '10000')
  const times: Record<string, number[]> = Object.fromEntries(ADDRESSES.map((one) => [one, []]))
  for (let done = 0; done < ATTEMPTS; done += each) {
    for (let pair = 0; pair < each; pair += 1)
      for (const address of random() < 0.5 ? ADDRESSES : ADDRESSES.toReversed()) {
        const began = performance.now()
        await ask(visitor, address)
        times[address]!.push(performance.now() - began)
        // An attacker who waits for the work behind the answer sees the most.
        await testApp.settle()
      }
    await testApp.leap(rest)
    if (!visitor.wire!.socket.connected) await visitor.comeBack()
  }
  await testApp.close()
  report(name, times[ADDRESSES[0]]!, times[ADDRESSES[1]]!)
}

function report(name: string, known: readonly number[], unknown: readonly number[]): void {
  const [of, other] = [median([...known]), median([...unknown])]
  console.log(
    `${name}: n ${known.length} each, median ${of.toFixed(2)} ms of a member, ${other.toFixed(2)} ms without one, ` +
      `difference ${(of - other).toFixed(2)} ms, rank test p ${rankTest(known, unknown).toFixed(3)}`,
  )
}

/** The two-sided p of the rank-sum test, by the normal distribution: for hundreds of values and few ties. */
function rankTest(some: readonly number[], others: readonly number[]): number {
  const all = [
    ...some.map((ms) => ({ ms, isSome: true })),
    ...others.map((ms) => ({ ms, isSome: false })),
  ].toSorted((one, other) => one.ms - other.ms)
  const ranks = all.reduce((sum, { isSome }, index) => sum + (isSome ? index + 1 : 0), 0)
  const [n, m] = [some.length, others.length]
  const mean = (n * (n + m + 1)) / 2
  const deviation = Math.sqrt((n * m * (n + m + 1)) / 12)
  return 2 * normalTail(Math.abs(ranks - mean) / deviation)
}

/** The upper tail of the normal distribution, by the approximation of Abramowitz and Stegun 26.2.17. */
function normalTail(z: number): number {
  const k = 1 / (1 + 0.2316419 * z)
  const polynomial =
    k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))))
  return (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * polynomial
}
