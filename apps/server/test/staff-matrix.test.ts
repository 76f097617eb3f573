import { deepEqual, ok } from 'node:assert/strict'
import { createExample } from '@duet/protocol/reference/example.ts'
import type { Endpoint } from '@duet/protocol/kernel/contract.ts'
import { type Principal, mayRequest, staffRoles } from '@duet/protocol/kernel/who.ts'
import { story } from '@duet/testkit/test-app.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

async function findRefusal(user: TestUser, contract: Endpoint): Promise<string> {
  const query = createExample(contract.query, 'required') as Record<string, string>
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(query[name]))
  const body = contract.body && (createExample(contract.body, 'required') as object)
  const sent = contract.method === 'GET' ? user.get(path, query) : user.post(path, body)
  return sent.then(
    () => 'ok',
    (error: { refusal?: string }) => error.refusal ?? String(error),
  )
}

story(
  'no endpoint of the back office succeeds for a user, and none for a role that may not call it',
  async ({ testApp, boris }) => {
    const callers: { user: TestUser; name: string; principal: Principal }[] = [
      { user: boris, name: 'guy', principal: { kind: 'none' } },
      { user: testApp.user('a visitor'), name: 'visitor', principal: { kind: 'none' } },
    ]
    for (const staff_role of staffRoles) {
      const user = await openStaff(testApp, staff_role)
      callers.push({ user, name: staff_role, principal: { kind: 'staff', staff_role } })
    }
    const wrong: string[] = []
    let tried = 0
    for (const { contract, handler } of testApp.running.registry.endpoints.values()) {
      if (!handler || contract.credential !== 'staff') continue
      // All callers have one address, whose requests have a limit.
      testApp.clock.sleep(testApp.clock.now().add({ seconds: 5 }))
      for (const { user, name, principal } of callers) {
        const verdict = mayRequest(principal, contract)
        if (verdict === null) continue
        tried += 1
        const refusal = await findRefusal(user, contract)
        if (refusal !== verdict)
          wrong.push(`${name} ${contract.method} ${contract.path}: ${refusal}`)
      }
    }
    deepEqual(wrong, [])
    ok(tried > 20, 'the endpoints were tried')
  },
)
