import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { RefusedError } from '../call-errors.ts'
import { type ConnectionProblem, toProblem } from './connection-problem.ts'
import { retryDelayMs } from './retry-delay.ts'

const NOW = 1_000_000
const refused = (...refusal: ConstructorParameters<typeof RefusedError>) =>
  toProblem(new RefusedError(...refusal), NOW)
const getDelay = (problem: ConnectionProblem, failures = 1) =>
  retryDelayMs(problem, failures, NOW, 0.5)
const offline: ConnectionProblem = { type: 'offline' }

test('a lost connection is tried again after three seconds with a third of jitter on both sides', () => {
  equal(Math.round(retryDelayMs(offline, 1, NOW, 0)!), 2010)
  equal(Math.round(retryDelayMs(offline, 4, NOW, 1)!), 3990)
})

test('the time between attempts grows and stays below 80 seconds', () => {
  const delays = Array.from({ length: 40 }, (_, failures) => getDelay(offline, failures + 1)!)
  ok(delays.every((delay, index) => index === 0 || delay >= delays[index - 1]!))
  equal(delays.at(-1), 60_000)
  ok(retryDelayMs(offline, 40, NOW, 1)! < 80_000)
})

test('a server that asks to wait is not asked earlier, and clients do not come back together', () => {
  for (const name of ['too_many', 'draining'] as const) {
    const problem = refused('AUTH', name, { additional: { retry_after: 30 } })
    equal(retryDelayMs(problem, 1, NOW, 0), 30_000)
    ok(retryDelayMs(problem, 1, NOW, 1)! > 30_000)
  }
})

test('an attempt that would be refused again is not repeated', () => {
  for (const name of ['client_old', 'captcha_required', 'invalid', 'role_forbidden'] as const)
    equal(getDelay(refused('AUTH', name)), undefined, name)
})

test('an internal error of the server is tried again, and not without end', () => {
  const problem = refused('AUTH', 'internal')
  ok(getDelay(problem, 1)! > 0)
  equal(getDelay(problem, 9), undefined)
})
