import { describe, expect, test } from 'vitest'
import type { Happened } from './call-state.ts'
import { her, preview, told, start, leaving, seen, sceneAfter } from './fakes/told.ts'

describe('the scene', () => {
  test.each<[string, Happened[], string]>([
    ['nothing is shown before AUTH', [], 'loading'],
    ['AUTH without a search or a call is idle', [told.auth()], 'idle'],
    ['the press shows the search before the server answers', [told.auth(), start], 'searching'],
    [
      'an echo of an earlier stop does not end a fresh start',
      [told.auth(), start, told.search('idle')],
      'searching',
    ],
    ['a refused start is idle again', [told.auth(), start, { what: 'start_failed' }], 'idle'],
    ['waiting is searching', [told.auth(), told.search('waiting')], 'searching'],
    [
      'a camera that was not asked for yet is explained',
      [told.auth(), { what: 'gate', gate: 'permission' }],
      'permission',
    ],
    [
      'a camera that was refused is explained',
      [told.auth(), { what: 'gate', gate: 'denied' }],
      'denied',
    ],
    ['an offer is offered', [told.auth(), told.search('waiting'), told.pair()], 'offered'],
    [
      'an offer stays when its state is told after it',
      [told.auth(), told.pair(), told.search('offered')],
      'offered',
    ],
    [
      'an offered state without its card is still searching',
      [told.auth(), told.search('offered')],
      'searching',
    ],
    [
      'a visitor sees a preview while he waits on',
      [told.auth(), told.search('waiting'), told.pair(preview), told.search('waiting')],
      'preview',
    ],
    [
      'a skipped offer is searching at once',
      [told.auth(), told.pair(), { what: 'offer_answered', pair_id: 'p1', answer: 'skip' }],
      'searching',
    ],
    [
      'an offer that ran out is searching',
      [told.auth(), told.pair(), told.pair_closed(), told.search('waiting')],
      'searching',
    ],
    [
      'the end of another offer changes nothing',
      [told.auth(), told.pair(), told.pair_closed('p0')],
      'offered',
    ],
    ['a call that opened is connecting', [told.auth(), told.pair(), told.session()], 'connecting'],
    ['the first picture is the call', [told.auth(), told.session(), seen], 'in_call'],
    ['the partner left: his receipt', [told.auth(), told.session(), seen, told.close()], 'after'],
    [
      'Next is searching while the server still ends the call',
      [told.auth(), told.session(), seen, leaving('next')],
      'searching',
    ],
    [
      'Next stays searching between the end and the new search',
      [told.auth(), told.session(), seen, leaving('next'), told.close()],
      'searching',
    ],
    [
      'what could not connect is looked past at once',
      [told.auth(), told.session(), told.close({ reason: 'not_connected' })],
      'searching',
    ],
    [
      'End shows the receipt',
      [told.auth(), told.session(), seen, leaving('end'), told.close()],
      'after',
    ],
    ['stop is idle', [told.auth(), told.search('waiting'), { what: 'stop_pressed' }], 'idle'],
    ['out of the queue for a while', [told.auth(), told.search('paused', 'absence')], 'paused'],
    [
      'a closed receipt is idle',
      [told.auth(), told.session(), seen, told.close(), { what: 'receipt_closed' }],
      'idle',
    ],
  ])('%s', (_, happened, name) => expect(sceneAfter(...happened).name).toBe(name))

  test.each<[string, Happened[], string]>([
    ['she is back in search when he left', [told.session(), seen, told.close()], 'searching'],
    [
      'her break begins when she leaves for one',
      [
        told.session(),
        seen,
        leaving('break'),
        told.close({ reason: 'break' }),
        told.search('break'),
      ],
      'break',
    ],
    [
      'her break begins after the call it was set in',
      [told.session({ break_set: true }), seen, told.close(), told.search('break')],
      'break',
    ],
    [
      'a call that staff ended puts her nowhere',
      [told.session(), seen, told.close({ reason: 'moderator' })],
      'after',
    ],
  ])('to her: %s', (_, happened, name) =>
    expect(sceneAfter(told.auth({}, her), ...happened).name).toBe(name),
  )
})
