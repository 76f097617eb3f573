import { deepEqual } from 'node:assert/strict'
import type { ContractSchema } from '@duet/protocol/kernel/contract.ts'
import { createExample } from '@duet/protocol/reference/example.ts'
import { mayRequest, type Principal } from '@duet/protocol/kernel/who.ts'
import type { z } from 'zod'
import { plusMs } from '../src/lib/clock.ts'
import { type TestUser, WireRefused } from '@duet/testkit/test-user.ts'
import { refusedFields } from '@duet/testkit/refused-fields.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'

/** Values that most fields reject. A field gets only those that it does not accept itself. */
const wrongs: readonly unknown[] = [
  null,
  {},
  [],
  'x'.repeat(20_000),
  '',
  true,
  7,
  -1,
  0.5,
  2 ** 40,
  '0',
  { $ne: null },
  [null],
]

interface Case {
  readonly field: string
  readonly said: Record<string, unknown>
}

/** Every way in which one field of a request can be wrong, the others right. */
function* listCases(schema: ContractSchema): Iterable<Case> {
  const { shape } = schema as unknown as { shape?: Record<string, z.ZodType> }
  if (!shape) return
  const right = createExample(schema as never) as Record<string, unknown>
  for (const [field, of] of Object.entries(shape)) {
    const { [field]: _, ...without } = right
    if (!of.safeParse(undefined).success) yield { field, said: without }
    for (const wrong of wrongs)
      if (!of.safeParse(wrong).success) yield { field, said: { ...right, [field]: wrong } }
  }
}

interface Caller {
  readonly user: TestUser
  readonly principal: Principal
}

async function callers(testApp: TestApp, boris: TestUser, anna: TestUser): Promise<Caller[]> {
  await testApp.duet('premium', boris.id, '--days', 30)
  return [
    { user: boris, principal: { kind: 'member', role: 'guy', premium: true } },
    { user: anna, principal: { kind: 'member', role: 'girl', verified: true } },
  ]
}

/** Ten minutes pass for the limits of calls, and for nothing else. */
function pass(testApp: TestApp): void {
  const until = plusMs(testApp.clock.now(), 600_000)
  testApp.clock.sleep(until)
  while (testApp.clock.step(until));
}

/** The field itself is named, or something in it. */
function isNamed(paths: unknown, field: string): boolean {
  return (
    Array.isArray(paths) &&
    paths.length > 0 &&
    paths.every((path) => String(path).split('.')[0] === field)
  )
}

story('every action names the field that is missing or wrong', async ({ testApp, boris, anna }) => {
  const found: unknown[] = []
  const all = await callers(testApp, boris, anna)
  for (const [name, { contract, handler }] of testApp.running.registry.actions) {
    const caller = all.find(({ principal }) => mayRequest(principal, contract) === null)
    if (name !== contract.name || !handler || !caller) continue
    for (const { field, said } of listCases(contract.data)) {
      pass(testApp)
      const paths = await refusedFields(caller.user, name, said)
      if (!isNamed(paths, field))
        found.push([name, field, JSON.stringify(said).slice(0, 200), paths])
    }
    for (const nothing of ['text', 5, ['a'], true]) {
      pass(testApp)
      const paths = await refusedFields(caller.user, name, nothing)
      if (!Array.isArray(paths)) found.push([name, nothing, paths])
    }
  }
  deepEqual(found, [])
})

story(
  'every call over HTTP names the field that is missing or wrong',
  async ({ testApp, boris, anna }) => {
    const found: unknown[] = []
    const all = await callers(testApp, boris, anna)
    for (const [name, { contract, handler }] of testApp.running.registry.endpoints) {
      const caller = all.find(({ principal }) => mayRequest(principal, contract) === null)
      if (!handler || !caller || contract.takes !== undefined || contract.credential !== undefined)
        continue
      const query = createExample(contract.query, 'required') as Record<string, unknown>
      const toPath = (values: Record<string, unknown>) =>
        contract.path.replaceAll(/\{(\w+)\}/g, (_, field: string) => String(values[field]))
      const path = toPath(query)
      const asked = Object.fromEntries(
        Object.entries(query).map(([key, value]) => [key, String(value)]),
      )
      if (contract.method === 'GET') {
        for (const { field, said } of listCases(contract.query)) {
          // A query knows texts only, and an address has an end: node answers 431 to longer ones.
          const wrong = said[field]
          if (field in said && (typeof wrong !== 'string' || wrong.length > 1000)) continue
          // Without its parameter a path is another path.
          if (contract.path.includes(`{${field}}`) && !wrong) continue
          pass(testApp)
          const paths = await fetchFields(() =>
            caller.user.get(toPath(said), said as Record<string, string>),
          )
          if (!isNamed(paths, field)) found.push([name, field, wrong, paths])
        }
        continue
      }
      for (const { field, said } of listCases(contract.body)) {
        pass(testApp)
        const paths = await fetchFields(() =>
          caller.user.post(`${path}?${new URLSearchParams(asked)}`, said),
        )
        if (!isNamed(paths, field))
          found.push([name, field, JSON.stringify(said).slice(0, 200), paths])
      }
    }
    deepEqual(found, [])
  },
)

async function fetchFields(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return { answered: await call() }
  } catch (error) {
    if (!(error instanceof WireRefused) || error.code !== 900) return String(error)
    return (error.additional.fields as { path: string }[]).map(({ path }) => path)
  }
}
