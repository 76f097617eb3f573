import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { decideSanction, findStrongest, type Sanction } from './sanction-rules.ts'

const NOW = Temporal.Instant.from('2030-01-01T00:00:00Z')
const LATER = NOW.add({ hours: 1 })

const sanction = (changed: Partial<Sanction> = {}): Sanction => ({
  statement_id: 1,
  user_id: 7,
  kind: 'ban',
  until: LATER,
  ended_at: null,
  lifted_by: null,
  lift_comment: null,
  ...changed,
})

test('a ban ends at its time and not before', () => {
  for (const type of ['time_came', 'server_started'] as const) {
    equal(decideSanction(sanction(), { type }, NOW).state.ended_at, null)
    deepEqual(decideSanction(sanction(), { type }, LATER), {
      state: sanction({ ended_at: LATER }),
      commands: [{ type: 'update_user' }],
    })
  }
})

test('a sanction without an end ends by staff only', () => {
  const endless = sanction({ until: null })
  equal(decideSanction(endless, { type: 'time_came' }, LATER).state.ended_at, null)
  const lifted = decideSanction(endless, { type: 'lifted', by: 'olga', comment: 'wrong' }, NOW)
  deepEqual(lifted.state, {
    ...endless,
    ended_at: NOW,
    lifted_by: 'olga',
    lift_comment: 'wrong',
  })
})

test('a sanction that has ended does not change', () => {
  const over = sanction({ ended_at: NOW })
  for (const event of [
    { type: 'time_came' },
    { type: 'lifted', by: 'olga', comment: 'again' },
  ] as const)
    deepEqual(decideSanction(over, event, LATER), { state: over, commands: [] })
})

test('of several sanctions the one without an end counts, then the one that ends last, then the earlier ban', () => {
  const ends = [LATER, NOW, null, LATER, null, null]
  const kinds = ['ban', 'ban', 'suspension', 'ban', 'ban', 'ban']
  const open = ends.map((until, at) => ({ statement_id: at + 1, until, kind: kinds[at]! }))
  equal(findStrongest(open)?.statement_id, 5)
  equal(findStrongest(open.filter(({ until }) => until))?.statement_id, 1)
  equal(findStrongest([]), undefined)
})
