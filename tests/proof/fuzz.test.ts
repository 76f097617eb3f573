import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '@duet/protocol/kernel/contract.ts'
import { createExample } from '@duet/protocol/reference/example.ts'
import { signalSent } from '@duet/protocol/contracts/signaling.ts'
import { seal } from '@duet/server/lib/cipher.ts'
import { plusMs } from '@duet/server/lib/clock.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { openTestApp, type TestApp } from '@duet/testkit/test-app.ts'
import { sendPacket, type WireAnswer } from '@duet/testkit/wire-client.ts'
import { enterCrowd } from '@duet/testkit/crowd.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { cases } from './fuzz/fuzz-cases.ts'
import {
  type Dice,
  diceFrom,
  mutated,
  mutatedName,
  mutatedPacket,
  oddFrames,
} from './fuzz/fuzz-grammar.ts'
import { Watch } from './fuzz/fuzz-watch.ts'

/**
 * The long form by `npm run proof fuzz`. An input that a seed finds becomes a case of
 * fuzz/fuzz-cases.ts.
 */
const long = process.env.PROOF === 'long'
const packets = long ? 5_000_000 : 20_000
const requests = long ? 1_000_000 : 5_000
const GROWTH_MIB = 50
const seed = testSeed()
/**
 * Below the rate limit of one user, and of one address: a request above it is refused before it is
 * parsed.
 */
const PACKETS_PER_BATCH = 30
const REQUESTS_PER_BATCH = 100
const INTERNAL_CODE = 999
/** These end the caller's identity; sockets of their own send them. */
const callerActions: ReadonlySet<string> = new Set(['AUTH', 'LOGOUT'])

/** The findings, each with the input that was sent, so that it can be sent again. */
class Findings {
  readonly wrong: string[] = []
  readonly codes = new Map<number, number>()

  heard(code: number, name: string, sent: unknown): void {
    this.codes.set(code, (this.codes.get(code) ?? 0) + 1)
    if (code === INTERNAL_CODE) this.wrong.push(`${name} ${JSON.stringify(sent)?.slice(0, 600)}`)
  }

  toString(): string {
    const most = [...this.codes].toSorted(([, one], [, other]) => other - one)
    return most.map(([code, times]) => `${code}: ${times}`).join(', ')
  }
}

/** Time for the buckets of all rates to fill, without a look at each second of it. */
async function pass(stage: TestApp, seconds: number): Promise<void> {
  const until = plusMs(stage.clock.now(), seconds * 1000)
  while (stage.clock.step(until));
  await stage.settle()
}

test(`${packets} packets with random errors do no harm (seed ${seed})`, async () => {
  const stage = await openTestApp()
  const found = new Findings()
  const watch = new Watch()
  try {
    const dice = diceFrom(randomFrom(seed))
    const { guys, girls, all } = await enterCrowd(stage, { guys: 2, girls: 2, minutes: 500_000 })
    const people = [...all, await stage.guest(), stage.user('visitor')]
    await inCall(stage, { guy: guys[0]!, girl: girls[0]! })
    const ids = [...all.map(({ id }) => id), 1, 999_999]
    for (const one of cases)
      found.heard(toCode(await guys[1]!.tryAct(one.action, one.data)), one.action, one.data)
    const names = mostlyAnswered(stage.running.registry.actions)
    for (let sent = 0, rounds = 0; sent < packets; rounds += 1) {
      if (rounds === 10) watch.warm()
      for (const person of people) {
        await come(person)
        const pending: Promise<void>[] = []
        for (let one = 0; one < PACKETS_PER_BATCH; one += 1)
          pending.push(sendOne(stage, person, dice, names, ids, found))
        signalSome(person, dice, ids)
        sent += PACKETS_PER_BATCH + SIGNALS_PER_BATCH
        await Promise.all(pending)
        hear(person, found)
      }
      if (dice() < 0.3) people.at(-1)?.wire?.socket.io.engine.write(dice.pick(oddFrames))
      await pass(stage, 20)
    }
    console.log(
      `fuzz: packets answered ${found}; memory grew by ${watch.judge(GROWTH_MIB).toFixed(1)} MiB`,
    )
    deepEqual(found.wrong, [])
    ok((found.codes.get(0) ?? 0) > packets / 100, 'hardly anything was right')
  } finally {
    await stage.close()
  }
})

const SIGNALS_PER_BATCH = 10

/** The names to choose from. Calls without a module have a single answer, so they are chosen seldom. */
function mostlyAnswered(book: ReadonlyMap<string, { handler: unknown }>): string[] {
  return [...book].flatMap(([name, { handler }]) => Array<string>(handler ? 10 : 1).fill(name))
}

/** Reopens a socket that was closed for bad input, and authenticates again. */
async function come(person: TestUser): Promise<void> {
  if (person.name === 'nobody') {
    if (!person.wire?.socket.connected) await person.connect()
    return
  }
  if (!person.wire?.socket.connected) {
    await person.auth().catch(async () => {
      // The input may have logged the socket out or registered a member: then the socket has
      // another user.
      person.token = undefined
      await person.auth()
    })
  }
  if (!person.signaling?.socket.connected) await person.openSignal().catch(() => {})
}

async function sendOne(
  stage: TestApp,
  person: TestUser,
  dice: Dice,
  names: readonly string[],
  ids: readonly number[],
  found: Findings,
): Promise<void> {
  const name = dice.pick(names)
  const { contract } = stage.running.registry.actions.get(name)!
  if (callerActions.has(contract.name) && person.name !== 'nobody') return
  const action = mutatedName(dice, name)
  const data = mutated(dice, createExample(contract.data, dice.pick(['all', 'required'])), ids)
  const sealed = seal(stage.socket_key, { action, data })
  // Ten that cannot be read in a minute close the socket: most can.
  const packet = dice() < 0.03 ? mutatedPacket(dice, sealed) : sealed
  try {
    found.heard(
      toCode(await sendPacket(person.wire!, stage.socket_key, packet)),
      String(action),
      packet === sealed ? data : packet,
    )
  } catch {
    // Closed because of its input: the next round uses a new socket.
  }
}

function signalSome(person: TestUser, dice: Dice, ids: readonly number[]): void {
  if (!person.signaling?.socket.connected) return
  for (let one = 0; one < SIGNALS_PER_BATCH; one += 1) {
    const name = dice.pick(Object.keys(signalSent) as (keyof typeof signalSent)[])
    const payload = mutated(dice, createExample(signalSent[name].payload), [1, ...ids])
    if (payload === undefined || payload === null || payload === '') continue
    if (dice() < 0.03) person.signaling.socket.emit(name, mutatedPacket(dice, 'AAAA'.repeat(20)))
    else person.signaling.emit(name, payload)
  }
}

function hear(person: TestUser, found: Findings): void {
  for (const wire of [person.wire, person.signaling]) {
    for (const { event, payload } of wire?.heard ?? [])
      if (event === 'error_999') found.heard(INTERNAL_CODE, event, payload)
  }
  person.forget()
}

function toCode(answer: WireAnswer): number {
  return 'error' in answer ? answer.error.code : 0
}

test(`${requests} requests with random errors do no harm (seed ${seed})`, async () => {
  const stage = await openTestApp()
  const found = new Findings()
  const watch = new Watch()
  try {
    const dice = diceFrom(randomFrom(seed + 1))
    const { guys, girls } = await enterCrowd(stage, { guys: 1, girls: 1, minutes: 100 })
    const people = [guys[0]!, girls[0]!, await stage.guest(), stage.user('visitor')]
    const { endpoints } = stage.running.registry
    const asked = mostlyAnswered(endpoints)
    for (let sent = 0; sent < requests; sent += REQUESTS_PER_BATCH) {
      if (sent === REQUESTS_PER_BATCH * 5) watch.warm()
      await Promise.all(
        Array.from({ length: REQUESTS_PER_BATCH }, () =>
          request(stage, dice.pick(people), dice, endpoints.get(dice.pick(asked))!.contract, found),
        ),
      )
      await pass(stage, 5)
    }
    console.log(
      `fuzz: requests answered ${found}; memory grew by ${watch.judge(GROWTH_MIB).toFixed(1)} MiB`,
    )
    deepEqual(found.wrong, [])
  } finally {
    await stage.close()
  }
})

/** Statuses of the wire's table, and those of an HTTP server for malformed requests. */
const documented: ReadonlySet<number> = new Set([
  200, 304, 400, 401, 402, 403, 404, 405, 409, 413, 414, 415, 422, 426, 429, 431, 503,
])
const oddHeaders = [
  '',
  'x',
  '2',
  '1.9.9',
  '999999999',
  'null',
  '{}',
  'a'.repeat(2000),
  '%00',
  '-1',
  "' or 1=1",
]

async function request(
  stage: TestApp,
  person: TestUser,
  dice: Dice,
  contract: Endpoint,
  found: Findings,
): Promise<void> {
  const query = mutated(dice, createExample(contract.query), [person.id || 1, 999_999])
  const url = getAddress(stage, dice, contract, query)
  const headers: Record<string, string> = { 'client-version': '2.0.0' }
  if (person.token) headers['chat-token'] = person.token
  for (const name of [
    'chat-token',
    'client-version',
    'captcha',
    'idempotency-key',
    'user-access-token',
    'content-type',
  ])
    if (dice() < 0.05) headers[name] = dice.pick(oddHeaders)
  const method =
    dice() < 0.97
      ? contract.method
      : dice.pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])
  const body = method === 'GET' ? undefined : getBody(dice, contract, headers)
  const response = await fetch(url, {
    method,
    headers,
    ...(body !== undefined && { body }),
    redirect: 'manual',
  })
  const text = await response.text()
  const { code = 0 } = (text.startsWith('{') ? JSON.parse(text) : {}) as { code?: number }
  if (typeof code !== 'number') found.wrong.push(`${code} is no code of ours: ${method} ${url}`)
  const sent = { query, body: typeof body === 'string' ? body.slice(0, 400) : 'form', headers }
  found.heard(code, `${method} ${url.slice(stage.origin.length, 300)}`, sent)
  if (!documented.has(response.status))
    found.wrong.push(`${response.status} ${method} ${url} ${JSON.stringify(sent)}`)
}

function getAddress(stage: TestApp, dice: Dice, contract: Endpoint, query: unknown): string {
  const given = (typeof query === 'object' && query !== null ? query : { q: query }) as Record<
    string,
    unknown
  >
  const word = (value: unknown) =>
    String(typeof value === 'object' ? JSON.stringify(value) : value).slice(0, 3000)
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    dice() < 0.3
      ? dice.pick(['%00', '..%2f..', '%ff', '-1', '%F0%9F%92%94', '1'.repeat(300)])
      : safe(word(given[name] ?? 1)),
  )
  const asked = Object.entries(given).map(([key, value]) => `${safe(key)}=${safe(word(value))}`)
  if (dice() < 0.05)
    asked.push(
      dice.pick(['__proto__[polluted]=1', 'page=1&page=2', '%', 'a[b][c]=1', '=', '&&&', 'x=%ff']),
    )
  const from = path.startsWith('/') ? path : `/api/${path}`
  return `${stage.origin}${from}${asked.length > 0 ? `?${asked.join('&')}` : ''}`
}

function safe(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function getBody(
  dice: Dice,
  contract: Endpoint,
  headers: Record<string, string>,
): string | FormData {
  if (contract.takes === 'multipart' && dice() < 0.8) {
    const form = new FormData()
    for (const name of ['img', 'media', 'image', 'front', dice.pick(['', '__proto__', 'x'])]) {
      if (dice() < 0.5)
        form.set(
          name,
          new Blob([Buffer.alloc(dice.upTo(5000), dice.upTo(255))], { type: 'image/png' }),
          'a.png',
        )
    }
    return form
  }
  headers['content-type'] ??= contract.takes === 'text' ? 'text/plain' : 'application/json'
  const json = JSON.stringify(mutated(dice, createExample(contract.body), [1, 2])) ?? ''
  return dice() < 0.9
    ? json
    : dice.pick([
        json.slice(0, dice.upTo(json.length)),
        `${json}${json}`,
        '['.repeat(20_000),
        `{"a":${'9'.repeat(20_000)}}`,
        '\ufeff{}',
        'null',
        `"${'x'.repeat(300_000)}"`,
      ])
}
