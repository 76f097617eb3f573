import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  banReasons,
  citedRule,
  photoVerdicts,
  ruleNames,
} from '@duet/protocol/kernel/rule-names.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

/** Reasons of decisions that break no written rule, or that the words of the decision alone explain. */
const WITHOUT_RULE = ['bad_connection', 'known_image', 'other', 'screenshot', 'under_review']

test('every reason of a decision cites a rule, but for those that name none', () => {
  const reasons = new Set([...banReasons, ...photoVerdicts, ...ruleNames, 'under_review'])
  const without = [...reasons].filter((reason) => citedRule(reason) === undefined)
  deepEqual(without.toSorted(), WITHOUT_RULE)
  for (const reason of reasons) ok([undefined, ...ruleNames].includes(citedRule(reason)), reason)
})

async function newestRule(user: TestUser) {
  const { items } = await user.get('statements')
  const { id, rule } = items[0]!
  equal((await user.get(`statements/${id}`)).rule, rule, 'one statement says the same as the list')
  return rule
}

story(
  'statements of a warning, a penalty, an ended call and a ban cite the broken rule',
  async ({ testApp, boris, anna }) => {
    const dana = await openStaff(testApp, 'manager')
    const about = { comment: 'No numbers, please.', reason: 'contacts' }
    const send = (path: string, given: object) =>
      dana.post(path, given, { 'idempotency-key': crypto.randomUUID() })
    await send('v2/manager/warning/impose', { user_id: anna.id, ...about })
    equal(await newestRule(anna), 'contacts')
    const { rule } = await anna.heard('statement', { kind: 'warning' })
    equal(rule, 'contacts', 'also in the event')
    const penalty = { ...about, reason: 'ignoring', place: 'messenger', amount: '10' }
    await send('v2/manager/penalty/impose', { user_id: anna.id, ...penalty })
    equal(await newestRule(anna), 'ignoring')
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    const end = { user_id: anna.id, rule: 'nudity_public', comment: 'Stay dressed.' }
    await send(`v2/manager/wall/${session_id}/end`, end)
    equal(await newestRule(anna), 'nudity_public')
    await testApp.duet('ban', boris.id, '--reason', 'video_material', '--comment', 'a recording')
    equal(await newestRule(boris), 'bots_recordings')
    await testApp.duet('ban', anna.id, '--reason', 'other', '--comment', 'in these words')
    equal(await newestRule(anna), undefined)
  },
)
