import { deepEqual, ok } from 'node:assert/strict'
import type { Endpoint } from '@duet/protocol/kernel/contract.ts'
import { createExample } from '@duet/protocol/reference/example.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { WireRefused, type TestUser } from '@duet/testkit/test-user.ts'

const ABSENT_ID = 2_000_000_000
/** Answers about absent objects that are not `not_found`. */
const ABSENT: Readonly<Record<string, string>> = {
  // No claim is left, which is what the caller wants.
  'POST v2/manager/release': 'ok',
  // A case of findings is a user; a user without findings has none to decide.
  'POST v2/manager/findings/{id}/decide': 'decided',
}
/** The id of these cases is a user's. */
const CASES_OF_USERS = /\/(users|masked|findings)\/\{id\}/

/** The fields of a request that name an object. A user is one, too. */
function namesObject({ query, body }: Endpoint): boolean {
  const fields = {
    ...(createExample(query, 'required') as object),
    ...(body && (createExample(body, 'required') as object)),
  }
  return Object.keys(fields).some((name) => /(^|_)id$/.test(name))
}

function listEndpoints(testApp: TestApp): (readonly [name: string, contract: Endpoint])[] {
  return [...testApp.running.registry.endpoints].flatMap(([name, { contract, handler }]) =>
    handler && contract.credential === 'staff' && namesObject(contract)
      ? [[name, contract] as const]
      : [],
  )
}

/** Coins of a penalty are whole, and nothing is removed where no rule was broken. */
const GIVEN: Readonly<Record<string, unknown>> = { amount: '1', remove: false }

const withId = (example: unknown, id: number | string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(example as object).map(([key, value]) => [
      key,
      /(^|_)id$|^partner$/.test(key) && typeof value === 'number' ? id : (GIVEN[key] ?? value),
    ]),
  )

async function ask(user: TestUser, contract: Endpoint, id: number): Promise<string> {
  const query = withId(createExample(contract.query, 'required'), id) as Record<string, string>
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(query[name]))
  const body = contract.body && withId(createExample(contract.body), id)
  try {
    await (contract.method === 'GET' ? user.get(path, query) : user.post(path, body))
    return 'ok'
  } catch (error) {
    if (error instanceof WireRefused) return error.refusal
    throw error
  }
}

story('no request of staff about an absent object succeeds', async ({ testApp }) => {
  const owner = await openStaff(testApp, 'owner')
  const endpoints = listEndpoints(testApp)
  const found: string[] = []
  for (const [name, contract] of endpoints) {
    const answer = await ask(owner, contract, ABSENT_ID)
    if (answer !== (ABSENT[name] ?? 'not_found')) found.push(`${name}: ${answer}`)
  }
  deepEqual(found, [])
  ok(endpoints.length > 40, String(endpoints.length))
})

story('no member of staff acts on an account of their own', async ({ testApp, boris }) => {
  const owner = await openStaff(testApp, 'owner', 'boris@duet.example')
  const tried: string[] = []
  for (const [name, contract] of listEndpoints(testApp)) {
    const body = contract.body && (createExample(contract.body, 'required') as object)
    const isAct =
      contract.method === 'POST' && (CASES_OF_USERS.test(name) || (body && 'user_id' in body))
    // The tests of a desk try the calls and uploads of its users.
    if (!isAct || /wall|\{media_id\}/.test(name)) continue
    tried.push(`${name}: ${await ask(owner, contract, boris.id)}`)
  }
  deepEqual(
    tried.filter((line) => !line.endsWith(': role_forbidden')),
    [],
  )
  ok(tried.length >= 9, String(tried))
})
