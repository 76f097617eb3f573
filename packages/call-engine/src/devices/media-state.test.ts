import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { getDeviceState, nextMediaState, type MediaEvent, type MediaState } from './media-state.ts'

const STATES: Record<string, MediaState> = {
  wanted: { type: 'wanted' },
  opening: { type: 'opening' },
  on: { type: 'on', paused: false },
  paused: { type: 'on', paused: true },
  stalled: { type: 'stalled' },
  off: { type: 'off' },
  lost: { type: 'lost' },
  refused: { type: 'refused' },
}

const EVENTS: Record<string, MediaEvent> = {
  switched_on: { type: 'switched_on', isOpen: false },
  unmuted: { type: 'switched_on', isOpen: true },
  switched_off: { type: 'switched_off' },
  requested: { type: 'requested' },
  opened: { type: 'opened', paused: false },
  opened_paused: { type: 'opened', paused: true },
  not_found: { type: 'open_failed', isRefused: false },
  denied: { type: 'open_failed', isRefused: true },
  held_back: { type: 'pause_changed', paused: true },
  given_back: { type: 'pause_changed', paused: false },
  frames_stop: { type: 'stall_changed', stalled: true },
  frames_flow: { type: 'stall_changed', stalled: false },
  track_ended: { type: 'track_ended' },
  track_closed: { type: 'track_closed' },
  released: { type: 'released' },
}

/** A line for each event. A line has the next state for each state of the first line. */
const TABLE = `
                wanted   opening  on       paused   stalled  off      lost     refused
switched_on     wanted   opening  on       paused   stalled  wanted   lost     refused
unmuted         on       on       on       paused   on       on       on       on
switched_off    off      off      off      off      off      off      off      off
requested       opening  opening  on       paused   stalled  off      opening  opening
opened          on       on       on       on       on       off      on       on
opened_paused   paused   paused   paused   paused   paused   off      paused   paused
not_found       lost     lost     on       paused   stalled  off      lost     lost
denied          refused  refused  on       paused   stalled  off      refused  refused
held_back       wanted   opening  paused   paused   paused   off      lost     refused
given_back      wanted   opening  on       on       on       off      lost     refused
frames_stop     wanted   opening  stalled  paused   stalled  off      lost     refused
frames_flow     wanted   opening  on       paused   on       off      lost     refused
track_ended     wanted   opening  lost     lost     lost     off      lost     refused
track_closed    wanted   opening  wanted   wanted   wanted   off      lost     refused
released        wanted   wanted   wanted   wanted   wanted   off      wanted   wanted
`

const [columns, ...rows] = TABLE.trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))

for (const [eventName, ...expected] of rows) {
  test(`the next state after ${eventName} is the one of the table for every state`, () => {
    const next = columns!.map((stateName) =>
      nextMediaState(STATES[stateName]!, EVENTS[eventName!]!),
    )
    deepEqual(
      next,
      expected.map((stateName) => STATES[stateName]),
    )
  })
}

test('the table covers every event', () => {
  deepEqual(rows.map(([eventName]) => eventName).sort(), Object.keys(EVENTS).sort())
})

test('screens show a wanted device as off and a paused device as paused', () => {
  equal(getDeviceState({ type: 'wanted' }), 'off')
  equal(getDeviceState({ type: 'on', paused: true }), 'paused')
  equal(getDeviceState({ type: 'refused' }), 'refused')
})
