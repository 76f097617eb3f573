import { describe, expect, test } from 'vitest'
import { NOBODY, type Happened } from './call-state.ts'
import { reduce } from './call-store.ts'
import {
  NOW,
  at,
  him,
  session,
  pair,
  auth,
  meter,
  text,
  told,
  start,
  seen,
  after,
  sceneAfter,
} from './fakes/told.ts'
import { sceneOf } from './scene.ts'

describe('convergence', () => {
  const story: Happened[] = [
    told.auth(),
    start,
    told.search('waiting'),
    told.pair(),
    told.search('offered'),
    { what: 'offer_answered', pair_id: 'p1', answer: 'accept' },
    told.session(),
    told.search('idle'),
    seen,
    told.meter(),
    told.text(),
    told.ask(),
    { what: 'answered_private', session_id: 7 },
    told.session({ state: 'private', price: '1.5' }),
    told.meter({ phase: 'paid', phase_since: at(11), paid_seconds: 3 }),
    told.close(),
  ]

  test('every telling of the server may come twice', () => {
    for (let upTo = 1; upTo <= story.length; upTo += 1) {
      const once = story.slice(0, upTo).reduce(reduce, NOBODY)
      const last = story[upTo - 1]!
      expect(sceneOf(reduce(once, last)), `after ${last.what}`).toEqual(sceneOf(once))
    }
  })

  test('after AUTH the state is what AUTH says, whatever was missed before', () => {
    const running = auth({
      active_session: session({
        connected_at: at(1),
        meter: meter({ phase: 'paid', phase_since: at(11), paid_seconds: 3 }),
        texts: [text()],
      }),
    })
    for (let upTo = 1; upTo < story.length - 1; upTo += 1) {
      const missed = story.slice(0, upTo).reduce(reduce, NOBODY)
      const state = reduce(missed, { what: 'auth', auth: running, me: him, at_ms: NOW + 20_000 })
      expect(['connecting', 'in_call']).toContain(sceneOf(state).name)
      expect(state.call?.texts.map((each) => each.text)).toEqual(['Hello'])
      expect(state.call?.meter?.paid_seconds).toBe(3)
      expect(state.offer).toBeNull()
    }
  })

  test('a call that AUTH does not name any more is over', () => {
    expect(sceneAfter(told.auth(), told.session(), seen, told.auth()).name).toBe('idle')
  })

  test('its receipt, which comes after AUTH, is still shown', () => {
    const state = after(told.auth(), told.session(), seen, told.auth(), told.close())
    expect(sceneOf(state)).toMatchObject({ name: 'after', left: { person: { nick: 'Anna' } } })
  })

  test('a call that ended never comes back, however late it is told', () => {
    expect(
      sceneAfter(told.auth(), told.session(), seen, told.close(), told.session({ price: '1.5' }))
        .name,
    ).toBe('after')
    expect(
      sceneAfter(
        told.auth(),
        told.session(),
        told.close(),
        told.auth({ active_session: session() }),
      ).name,
    ).not.toBe('connecting')
  })

  test('the receipt of an older call changes nothing on the screen', () => {
    expect(
      sceneAfter(told.auth(), told.session({ id: 8 }), told.close({ session_id: 7 })).name,
    ).toBe('connecting')
  })

  test('another identity begins from nothing', () => {
    const state = after(
      told.auth(),
      told.session(),
      seen,
      told.text(),
      told.auth({}, { ...him, id: 9 }),
    )
    expect(state).toEqual({ ...NOBODY, me: { ...him, id: 9 } })
  })

  test('what is told of another call does not touch this one', () => {
    const running = after(told.auth(), told.session(), seen)
    for (const foreign of [told.meter({ session_id: 6 }), told.text({ session_id: 6 })])
      expect(reduce(running, foreign)).toBe(running)
  })
})

describe('an offer', () => {
  test('an open offer comes back with AUTH and the time that is left', () => {
    const state = after(
      told.auth({ search: { state: 'offered', pair: pair({ expires_in_ms: 4_000 }) } }),
    )
    expect(sceneOf(state)).toMatchObject({
      name: 'offered',
      expires_at_ms: NOW + 4_000,
      answer: null,
    })
  })

  test('an answer that was given stays given when the offer is told again', () => {
    const scene = sceneAfter(
      told.auth(),
      told.pair(),
      { what: 'offer_answered', pair_id: 'p1', answer: 'accept' },
      told.pair(),
    )
    expect(scene).toMatchObject({ name: 'offered', answer: 'accept' })
  })

  test('its end is said, unless it was skipped here', () => {
    expect(after(told.auth(), told.pair(), told.pair_closed()).offer_closed).toBe('expired')
    expect(
      after(
        told.auth(),
        told.pair(),
        { what: 'offer_answered', pair_id: 'p1', answer: 'skip' },
        told.pair_closed(),
      ).offer_closed,
    ).toBeNull()
  })
})

test('minutes that are added in a call count at once', () => {
  const state = after(told.auth(), told.session(), seen, told.meter({ balance: '0.5' }))
  const { call } = reduce(state, { what: 'own_record', me: { ...him, balance: '15.5' } })
  expect(call?.meter?.balance).toBe('15.5')
})

describe('going private', () => {
  const running = [told.auth(), told.session(), seen]

  test('a question of hers stands until it is answered', () => {
    expect(after(...running, told.ask()).call?.ask).toEqual({
      price: '1.5',
      expires_at_ms: NOW + 15_000,
    })
    expect(
      after(...running, told.ask(), { what: 'answered_private', session_id: 7 }).call?.ask,
    ).toBeNull()
  })

  test('a no to his question is shown, and the next one waits a minute', () => {
    const asked: Happened = { what: 'asked_private', session_id: 7, expires_at_ms: NOW + 15_000 }
    const { call } = after(...running, asked, told.declined())
    expect(call).toMatchObject({
      own_ask: null,
      own_ask_answer: 'declined',
      ask_again_at_ms: NOW + 60_000,
    })
  })

  test('the answer to a crossed question, coming late, asks nothing of a private call', () => {
    const asked: Happened = { what: 'asked_private', session_id: 7, expires_at_ms: NOW + 15_000 }
    expect(after(...running, told.session({ state: 'private' }), asked).call?.own_ask).toBeNull()
  })

  test('the new price changes the call without beginning another', () => {
    const { call } = after(
      ...running,
      told.text(),
      told.session({ state: 'private', price: '1.5' }),
    )
    expect(call).toMatchObject({ is_met: true, session: { state: 'private', price: '1.5' } })
    expect(call?.texts).toHaveLength(1)
  })
})

describe('texts', () => {
  const running = [told.auth(), told.session(), seen]
  const written: Happened = {
    what: 'text_written',
    session_id: 7,
    id: 'mine',
    text: 'call 5551234567',
    at_ms: NOW,
  }

  test('an own text is there at once and takes the server’s wording, told by answer, event or both in either order', () => {
    const sent: Happened = {
      what: 'text_sent',
      session_id: 7,
      id: 'mine',
      text_id: 5,
      text: 'call ***',
    }
    const heard = told.text({ id: 'mine', sender_id: 1, text_id: 5, text: 'call ***' })
    expect(after(...running, written).call?.texts).toMatchObject([
      { state: 'sending', text: 'call 5551234567' },
    ])
    for (const order of [[sent], [heard], [sent, heard], [heard, sent]])
      expect(after(...running, written, ...order).call?.texts).toMatchObject([
        { id: 'mine', state: 'sent', text: 'call ***' },
      ])
  })

  test('a failed text keeps its place and can be tried again', () => {
    const failed = after(...running, written, { what: 'text_failed', session_id: 7, id: 'mine' })
    expect(failed.call?.texts).toMatchObject([{ state: 'failed' }])
    expect(reduce(failed, written).call?.texts).toMatchObject([{ state: 'sending' }])
  })

  test('a failure that is told after the text arrived does not unsend it', () => {
    const heard = told.text({ id: 'mine', sender_id: 1, text_id: 5 })
    const state = after(...running, written, heard, {
      what: 'text_failed',
      session_id: 7,
      id: 'mine',
    })
    expect(state.call?.texts).toMatchObject([{ state: 'sent' }])
  })

  test('texts stand in the order in which everybody sees them', () => {
    const state = after(
      ...running,
      told.text({ text_id: 3, id: 'c' }),
      written,
      told.text({ text_id: 2, id: 'b' }),
    )
    expect(state.call?.texts.map(({ id }) => id)).toEqual(['b', 'c', 'mine'])
  })

  test('dots show that she writes, until her text is there', () => {
    const typing: Happened = { what: 'session_typing', session_id: 7, user_id: 2, at_ms: NOW }
    expect(after(...running, typing).call?.typing_until_ms).toBe(NOW + 3_000)
    expect(after(...running, typing, told.text()).call?.typing_until_ms).toBe(0)
    expect(after(...running, { ...typing, user_id: 1 }).call?.typing_until_ms).toBe(0)
  })
})
