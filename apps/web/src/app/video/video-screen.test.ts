import { describe, expect, test } from 'vitest'
import { chooseScreen } from './video-screen.ts'
import type { VideoEvent } from './video-state.ts'
import {
  after,
  session,
  girl,
  preview,
  events,
  start,
  leaving,
  seen,
  screenAfter,
} from '../../../dev/video/events.ts'

describe('the screen', () => {
  test.each<[string, VideoEvent[], string]>([
    ['loading is shown before AUTH', [], 'loading'],
    ['AUTH without a search or a call is idle', [events.auth()], 'idle'],
    [
      'pressing Start shows the search before the server answers',
      [events.auth(), start],
      'searching',
    ],
    [
      'an idle state of an earlier stop does not cancel a new start',
      [events.auth(), start, events.search('idle')],
      'searching',
    ],
    ['a refused start is idle', [events.auth(), start, { type: 'start_failed' }], 'idle'],
    ['waiting is searching', [events.auth(), events.search('waiting')], 'searching'],
    ['an offer is offered', [events.auth(), events.search('waiting'), events.pair()], 'offered'],
    [
      'an offer stays when its search state arrives after it',
      [events.auth(), events.pair(), events.search('offered')],
      'offered',
    ],
    [
      'an offered state without a pair is searching',
      [events.auth(), events.search('offered')],
      'searching',
    ],
    [
      'a visitor sees a preview while the search continues',
      [events.auth(), events.search('waiting'), events.pair(preview), events.search('waiting')],
      'preview',
    ],
    [
      'a skipped offer is searching at once',
      [events.auth(), events.pair(), { type: 'offer_answered', pair_id: 'p1', answer: 'skip' }],
      'searching',
    ],
    [
      'an expired offer is searching',
      [events.auth(), events.pair(), events.pairClosed(), events.search('waiting')],
      'searching',
    ],
    [
      'the end of another offer changes nothing',
      [events.auth(), events.pair(), events.pairClosed('p0')],
      'offered',
    ],
    [
      'a call that opened is connecting',
      [events.auth(), events.pair(), events.session()],
      'connecting',
    ],
    ['the first frame shows the call', [events.auth(), events.session(), seen], 'in_call'],
    [
      'the receipt is shown when the partner left',
      [events.auth(), events.session(), seen, events.close()],
      'after',
    ],
    [
      'Next is searching while the server ends the call',
      [events.auth(), events.session(), seen, leaving('next')],
      'searching',
    ],
    [
      'Next stays searching between the end and the new search',
      [events.auth(), events.session(), seen, leaving('next'), events.close()],
      'searching',
    ],
    [
      'a call that could not connect is searching at once',
      [events.auth(), events.session(), events.close({ reason: 'not_connected' })],
      'searching',
    ],
    [
      'End shows the receipt',
      [events.auth(), events.session(), seen, leaving('end'), events.close()],
      'after',
    ],
    [
      'a call of another page that the user left from its question asks again after Back to call',
      [
        events.auth({ active_session: session() }),
        leaving('end'),
        { type: 'leaving', session_id: 7, how: null },
      ],
      'enter',
    ],
    ['stop is idle', [events.auth(), events.search('waiting'), { type: 'stop_pressed' }], 'idle'],
    ['a paused search is paused', [events.auth(), events.search('paused', 'absence')], 'paused'],
    [
      'a closed receipt is idle',
      [events.auth(), events.session(), seen, events.close(), { type: 'receipt_closed' }],
      'idle',
    ],
  ])('%s', (_, all, name) => expect(screenAfter(...all).name).toBe(name))

  test.each<[string, VideoEvent[], string]>([
    [
      'the girl is back in search when the guy left',
      [events.session(), seen, events.close()],
      'searching',
    ],
    [
      'the break begins when the girl leaves for one',
      [
        events.session(),
        seen,
        leaving('break'),
        events.close({ reason: 'break' }),
        events.search('break'),
      ],
      'break',
    ],
    [
      'the break begins after the call in which it was set',
      [events.session({ break_set: true }), seen, events.close(), events.search('break')],
      'break',
    ],
    [
      'a call that a moderator ended shows the receipt',
      [events.session(), seen, events.close({ reason: 'moderator' })],
      'after',
    ],
  ])('for the girl: %s', (_, all, name) =>
    expect(screenAfter(events.auth({}, girl), ...all).name).toBe(name),
  )
})

test('the gate stands before search and call', () => {
  const state = after(events.auth(), events.session(), seen)
  expect(chooseScreen(state, 'denied')).toEqual({ name: 'denied', call: state.calls.call })
  expect(chooseScreen(after(events.auth()), 'permission')).toEqual({ name: 'permission' })
})
