import { describe, expect, test } from 'vitest'
import type { SearchPair } from '@duet/protocol'
import { INITIAL_VIDEO, reduceVideo, type VideoEvent } from './video-state.ts'
import {
  anna,
  NOW,
  at,
  guy,
  session,
  pair,
  auth,
  meter,
  text,
  events,
  start,
  seen,
  after,
  screenAfter,
} from '../../../dev/video/events.ts'
import { chooseScreen } from './video-screen.ts'

describe('convergence', () => {
  const story: VideoEvent[] = [
    events.auth(),
    start,
    events.search('waiting'),
    events.pair(),
    events.search('offered'),
    { type: 'offer_answered', pair_id: 'p1', answer: 'accept' },
    events.session(),
    events.search('idle'),
    seen,
    events.meter(),
    events.text(),
    events.ask(),
    { type: 'private_answered', session_id: 7 },
    events.session({ state: 'private', price: '1.5' }),
    events.meter({ phase: 'paid', phase_since: at(11), paid_seconds: 3 }),
    events.close(),
  ]

  test('an event that arrives twice changes nothing', () => {
    for (let upTo = 1; upTo <= story.length; upTo += 1) {
      const once = story.slice(0, upTo).reduce(reduceVideo, INITIAL_VIDEO)
      const last = story[upTo - 1]!
      expect(chooseScreen(reduceVideo(once, last), null), `after ${last.type}`).toEqual(
        chooseScreen(once, null),
      )
    }
  })

  test('after AUTH the state is what AUTH contains, whichever events were missed', () => {
    const running = auth({
      active_session: session({
        connected_at: at(1),
        meter: meter({ phase: 'paid', phase_since: at(11), paid_seconds: 3 }),
        texts: [text()],
      }),
    })
    for (let upTo = 1; upTo < story.length - 1; upTo += 1) {
      const missed = story.slice(0, upTo).reduce(reduceVideo, INITIAL_VIDEO)
      const state = reduceVideo(missed, {
        type: 'authenticated',
        auth: running,
        me: guy,
        at_ms: NOW + 20_000,
        call_here: running.active_session!.id,
      })
      expect(['connecting', 'in_call']).toContain(chooseScreen(state, null).name)
      expect(state.calls.call?.texts.map((each) => each.text)).toEqual(['Hello'])
      expect(state.calls.call?.meter?.paid_seconds).toBe(3)
      expect(state.matchmaking.offer).toBeNull()
    }
  })

  test('a call that AUTH does not name is over', () => {
    expect(screenAfter(events.auth(), events.session(), seen, events.auth()).name).toBe('idle')
  })

  test('the receipt of a call that AUTH dropped is still shown', () => {
    const state = after(events.auth(), events.session(), seen, events.auth(), events.close())
    expect(chooseScreen(state, null)).toMatchObject({
      name: 'after',
      left: { person: { nick: 'Anna' } },
    })
  })

  test('a call that ended never returns, even when its events arrive late', () => {
    expect(
      screenAfter(
        events.auth(),
        events.session(),
        seen,
        events.close(),
        events.session({ price: '1.5' }),
      ).name,
    ).toBe('after')
    expect(
      screenAfter(
        events.auth(),
        events.session(),
        events.close(),
        events.auth({ active_session: session() }),
      ).name,
    ).not.toBe('connecting')
  })

  test('the receipt of an older call changes nothing on the screen', () => {
    expect(
      screenAfter(events.auth(), events.session({ id: 8 }), events.close({ session_id: 7 })).name,
    ).toBe('connecting')
  })

  test('another identity starts from the initial state', () => {
    const state = after(
      events.auth(),
      events.session(),
      seen,
      events.text(),
      events.auth({}, { ...guy, id: 9 }),
    )
    expect(state).toEqual({
      ...INITIAL_VIDEO,
      me: { ...guy, id: 9 },
      calls: { ...INITIAL_VIDEO.calls, own: { id: 9, role: 'guy' } },
    })
  })

  test('events of another call change nothing', () => {
    const running = after(events.auth(), events.session(), seen)
    for (const foreign of [events.meter({ session_id: 6 }), events.text({ session_id: 6 })])
      expect(reduceVideo(running, foreign)).toBe(running)
  })
})

describe('a ring beside a call that opens', () => {
  const other = { ...anna, id: 5, nick: 'Clara' }
  const ring = (role_in_call: 'caller' | 'callee') =>
    pair({ kind: 'direct', role_in_call, pair_id: 'r', user_interlocutor: other } as never)

  test('goes on for the user who is called while a public call opens', () => {
    const state = after(events.auth(), events.pair(ring('callee')), events.session())
    expect(state.matchmaking.ring?.pair.pair_id).toBe('r')
  })

  test('goes on after a reload in a public call', () => {
    const state = after(
      events.auth({
        search: { state: 'idle', pair: ring('callee') } as never,
        active_session: session(),
      }),
    )
    expect(state.calls.call?.session.id).toBe(7)
    expect(state.matchmaking.ring?.pair.pair_id).toBe('r')
  })

  test.each([
    ['that the user makes', 'caller', {}],
    ['to a private call', 'callee', { state: 'private' }],
    ['to a direct call', 'callee', { kind: 'direct' }],
    ['with the person of the ring', 'callee', { user_interlocutor: other }],
  ] as const)('ends: a ring %s', (_, role, opened) => {
    const state = after(events.auth(), events.pair(ring(role)), events.session(opened))
    expect(state.matchmaking.ring).toBeNull()
  })
})

describe('an offer', () => {
  test('AUTH restores an open offer and its remaining time', () => {
    const state = after(
      events.auth({ search: { state: 'offered', pair: pair({ expires_in_ms: 4_000 }) } }),
    )
    expect(chooseScreen(state, null)).toMatchObject({
      name: 'offered',
      expires_at_ms: NOW + 4_000,
      answer: null,
    })
  })

  test('the ring stands for the time that the server gives, also after a reconnection', () => {
    const screen = screenAfter(
      events.auth(),
      events.pair(pair({ expires_in_ms: 20_000 })),
      events.pair(pair({ expires_in_ms: 12_000 })),
    )
    expect(screen).toMatchObject({ name: 'offered', lasts_ms: 20_000 })
  })

  test('an answer stays when the offer arrives again', () => {
    const screen = screenAfter(
      events.auth(),
      events.pair(),
      { type: 'offer_answered', pair_id: 'p1', answer: 'accept' },
      events.pair(),
    )
    expect(screen).toMatchObject({ name: 'offered', answer: 'accept' })
  })

  test('the reason of its end is kept, unless it was skipped here', () => {
    expect(after(events.auth(), events.pair(), events.pairClosed()).matchmaking.offer_closed).toBe(
      'expired',
    )
    expect(
      after(
        events.auth(),
        events.pair(),
        { type: 'offer_answered', pair_id: 'p1', answer: 'skip' },
        events.pairClosed(),
      ).matchmaking.offer_closed,
    ).toBeNull()
  })
})

test('minutes that are bought in a call count at once', () => {
  const state = after(events.auth(), events.session(), seen, events.meter({ balance: '0.5' }))
  const {
    calls: { call },
  } = reduceVideo(state, { type: 'own_record_changed', me: { ...guy, balance: '15.5' } })
  expect(call?.meter?.balance).toBe('15.5')
})

test('what the card said about the partner is known in the call, and of no other partner', () => {
  const about = 'Collects old maps'
  const described = events.pair(pair({ about } as Partial<SearchPair>))
  const call = (...list: VideoEvent[]) => after(events.auth(), ...list).calls.call
  expect(call(described, events.session())?.about).toBe(about)
  const other = { user_interlocutor: { ...anna, id: 99 } }
  expect(call(described, events.session(other))?.about).toBeNull()
})

describe('going private', () => {
  const askFor = (expires_in_ms: number): VideoEvent => ({
    type: 'session_up',
    payload: { session_id: 7, user_id: 2, expires_in_ms, price: '1.5' },
    at_ms: NOW,
  })
  const ownAsk = (lastsMs: number): VideoEvent => ({
    type: 'private_asked',
    session_id: 7,
    expires_at_ms: NOW + lastsMs,
    lasts_ms: lastsMs,
  })
  const running = [events.auth(), events.session(), seen]

  test('a question of the partner stays until it is answered', () => {
    expect(after(...running, events.ask()).calls.call?.ask).toEqual({
      price: '1.5',
      expires_at_ms: NOW + 15_000,
      lasts_ms: 15_000,
    })
    expect(
      after(...running, events.ask(), { type: 'private_answered', session_id: 7 }).calls.call?.ask,
    ).toBeNull()
  })

  test('a question lasts as long as the server says, also when it is named again', () => {
    const { ask, own_ask } = after(
      ...running,
      askFor(40_000),
      askFor(39_000),
      ownAsk(40_000),
      ownAsk(38_000),
    ).calls.call!
    expect([ask?.lasts_ms, own_ask?.lasts_ms]).toEqual([40_000, 40_000])
  })

  test('the next question is possible when the server allows it', () => {
    const call = { private_ask_again: 5 }
    const declined = after(
      events.auth(),
      events.session(call),
      seen,
      ownAsk(15_000),
      events.declined(),
    )
    expect(declined.calls.call?.ask_again_at_ms).toBe(NOW + 5_000)
  })

  test('a declined question is shown, and the next one is possible after a minute', () => {
    const asked = ownAsk(15_000)
    const {
      calls: { call },
    } = after(...running, asked, events.declined())
    expect(call).toMatchObject({
      own_ask: null,
      own_ask_answer: 'declined',
      ask_again_at_ms: NOW + 60_000,
    })
  })

  test('the late answer to a crossed question changes nothing in a private call', () => {
    const asked = ownAsk(15_000)
    expect(
      after(...running, events.session({ state: 'private' }), asked).calls.call?.own_ask,
    ).toBeNull()
  })

  test('a new price changes the call without opening another', () => {
    const {
      calls: { call },
    } = after(...running, events.text(), events.session({ state: 'private', price: '1.5' }))
    expect(call).toMatchObject({ is_met: true, session: { state: 'private', price: '1.5' } })
    expect(call?.texts).toHaveLength(1)
  })
})

describe('texts', () => {
  const running = [events.auth(), events.session(), seen]
  const written: VideoEvent = {
    type: 'text_written',
    session_id: 7,
    id: 'mine',
    text: 'call 5551234567',
    at_ms: NOW,
  }

  test('an own text appears at once and takes the wording of the server, by answer, event or both in either order', () => {
    const sent: VideoEvent = {
      type: 'text_sent',
      session_id: 7,
      id: 'mine',
      text_id: 5,
      text: 'call ***',
    }
    const received = events.text({ id: 'mine', sender_id: 1, text_id: 5, text: 'call ***' })
    expect(after(...running, written).calls.call?.texts).toMatchObject([
      { state: 'sending', text: 'call 5551234567' },
    ])
    for (const order of [[sent], [received], [sent, received], [received, sent]])
      expect(after(...running, written, ...order).calls.call?.texts).toMatchObject([
        { id: 'mine', state: 'sent', text: 'call ***' },
      ])
  })

  test('a failed text keeps its place and can be sent again', () => {
    const failed = after(...running, written, { type: 'text_failed', session_id: 7, id: 'mine' })
    expect(failed.calls.call?.texts).toMatchObject([{ state: 'failed' }])
    expect(reduceVideo(failed, written).calls.call?.texts).toMatchObject([{ state: 'sending' }])
  })

  test('a failure that arrives after the text was confirmed changes nothing', () => {
    const received = events.text({ id: 'mine', sender_id: 1, text_id: 5 })
    const state = after(...running, written, received, {
      type: 'text_failed',
      session_id: 7,
      id: 'mine',
    })
    expect(state.calls.call?.texts).toMatchObject([{ state: 'sent' }])
  })

  test('texts are ordered by the numbers of the server', () => {
    const state = after(
      ...running,
      events.text({ text_id: 3, id: 'c' }),
      written,
      events.text({ text_id: 2, id: 'b' }),
    )
    expect(state.calls.call?.texts.map(({ id }) => id)).toEqual(['b', 'c', 'mine'])
  })

  test('the typing indicator shows until the text arrives', () => {
    const typing = {
      type: 'session_typing',
      payload: { session_id: 7, user_id: 2 },
      at_ms: NOW,
    } as const
    expect(after(...running, typing).calls.call?.typing_until_ms).toBe(NOW + 3_000)
    expect(after(...running, typing, events.text()).calls.call?.typing_until_ms).toBe(0)
    expect(
      after(...running, { ...typing, payload: { session_id: 7, user_id: 1 } }).calls.call
        ?.typing_until_ms,
    ).toBe(0)
  })
})
