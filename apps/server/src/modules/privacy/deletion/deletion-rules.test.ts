import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { decideDeletion, type Deletion, type DeletionEvent } from './deletion-rules.ts'

const ASKED = Temporal.Instant.from('2030-01-01T00:00:00Z')
const DUE = ASKED.add({ hours: 14 * 24 })
const NOW = DUE.add({ seconds: 1 })

function deletion(state: Deletion['state'], wake_at: Temporal.Instant | null = DUE): Deletion {
  const isOver = state === 'cancelled' || state === 'erased'
  return {
    deletion_id: 'd',
    user_id: 7,
    state,
    asked_at: ASKED,
    erase_at: DUE,
    wake_at: isOver ? null : wake_at,
    closed_at: isOver ? ASKED : null,
  }
}

function outcome(state: Deletion['state'], event: DeletionEvent, now = NOW): string {
  const decided = decideDeletion(deletion(state), event, now)
  return [decided.state.state, ...decided.commands.map(({ type }) => type)].join(' ')
}

test('a request waits for its day and for the user', () => {
  deepEqual(outcome('asked', { type: 'time_came' }, ASKED), 'asked')
  deepEqual(outcome('asked', { type: 'server_started' }, ASKED), 'asked')
  deepEqual(outcome('asked', { type: 'logged_in' }, ASKED), 'cancelled')
  deepEqual(outcome('asked', { type: 'time_came' }), 'asked close_account')
  deepEqual(outcome('asked', { type: 'server_started' }), 'asked close_account')
  deepEqual(outcome('asked', { type: 'came_back' }), 'cancelled')
})

test('another request moves the day', () => {
  const later = DUE.add({ hours: 24 })
  const decided = decideDeletion(deletion('asked'), { type: 'asked_again', erase_at: later }, ASKED)
  deepEqual([decided.state.erase_at, decided.state.wake_at], [later, later])
})

test('a closed account is erased, or held as long as evidence needs it', () => {
  deepEqual(outcome('asked', { type: 'closed', is_held: false }), 'erasing')
  deepEqual(outcome('asked', { type: 'closed', is_held: true }), 'held')
  deepEqual(outcome('held', { type: 'time_came' }), 'held look_for_hold')
  deepEqual(outcome('held', { type: 'hold_lifted' }), 'held look_for_hold')
  deepEqual(outcome('held', { type: 'closed', is_held: true }), 'held')
  deepEqual(outcome('held', { type: 'closed', is_held: false }), 'erasing')
  deepEqual(outcome('erasing', { type: 'time_came' }), 'erasing erase_step')
  deepEqual(outcome('erasing', { type: 'held_back' }), 'held')
  deepEqual(outcome('erasing', { type: 'stepped', has_more: true }), 'erasing')
  deepEqual(outcome('erasing', { type: 'stepped', has_more: false }), 'erased')
})

test('an event that does not fit changes nothing', () => {
  const events: DeletionEvent[] = [
    { type: 'time_came' },
    { type: 'server_started' },
    { type: 'asked_again', erase_at: NOW },
    { type: 'logged_in' },
    { type: 'came_back' },
    { type: 'hold_lifted' },
    { type: 'held_back' },
    { type: 'closed', is_held: false },
    { type: 'stepped', has_more: false },
  ]
  for (const event of events)
    for (const state of ['cancelled', 'erased'] as const) {
      const before = deletion(state)
      deepEqual(decideDeletion(before, event, NOW), { state: before, commands: [] })
    }
  // A login does not reopen a closed account.
  for (const state of ['held', 'erasing'] as const)
    for (const type of ['logged_in', 'came_back'] as const)
      deepEqual(outcome(state, { type }), state)
})
