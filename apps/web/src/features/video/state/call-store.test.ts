import type { AuthSuccess, Meter, Receipt, SearchPair, Session, SessionText } from '@duet/protocol'
import { describe, expect, test } from 'vitest'
import { NOBODY, type CallState, type Happened, type Me } from './call-state.ts'
import { reduce } from './call-store.ts'
import { sceneOf } from './scene.ts'

const NOW = Date.parse('2026-11-21T20:00:00Z')
const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()

const him: Me = {
  id: 1,
  role: 'men',
  is_member: true,
  nick: 'Boris',
  avatar: null,
  is_verified: false,
  auto_accept: false,
  balance: '10',
  quota_seconds: 0,
}
const her: Me = { ...him, id: 2, role: 'girl', nick: 'Anna', is_verified: true }

const anna: Session['user_interlocutor'] = {
  id: 2,
  ref_code: null,
  nick: 'Anna',
  role: 'girl',
  avatar: null,
  locale: 'pt',
  is_premium: false,
  is_favorite: false,
  status: 'busy',
  sub_status: 'public',
}

function session(part: Partial<Session> = {}): Session {
  return {
    id: 7,
    state: 'public',
    user_interlocutor: anna,
    ortc_token: 'o',
    interlocutorConnection: 'waiting',
    session_guid: '5b1c9d2f-7a54-4e0b-9a63-2d8c5e1f4a70',
    initiator: true,
    price: '1',
    free_seconds: 10,
    quota_seconds: 0,
    paid_after: 10,
    started_at: at(0),
    ...part,
  }
}

function pair(part: Partial<SearchPair> = {}): SearchPair {
  const offer = { kind: 'random', pair_id: 'p1', user_interlocutor: anna, state: 'public', price: '1' } as const
  return { ...offer, free_seconds: 10, expires_in_ms: 10_000, ...part } as SearchPair
}

const preview = pair({ kind: 'preview', user_interlocutor: { role: 'girl', locale: 'pt', avatar_blurred: null } })

function receipt(part: Partial<Receipt> = {}): Receipt {
  const times = { seconds: 30, paid_seconds: 20, free_seconds: 10, quota_seconds: 0 }
  return { session_id: 7, reason: 'left', ...times, paused: [], balance: '9', spent: '0.3333', ...part }
}

function auth(part: Partial<AuthSuccess> = {}): AuthSuccess {
  return {
    token: 't',
    user: {},
    free_quota: 0,
    free_quota_messages: 0,
    change_id: 0,
    count_new_messages: 0,
    ...part,
  } as AuthSuccess
}

const meter = (part: Partial<Meter> = {}): Meter => ({
  session_id: 7,
  phase: 'free',
  phase_since: at(1),
  paid_seconds: 0,
  balance: '10',
  ...part,
})
const text = (part: Partial<SessionText> = {}): SessionText => ({
  session_id: 7,
  text_id: 1,
  id: 'a',
  sender_id: 2,
  text: 'Hello',
  create_time: at(2),
  ...part,
})

/** Everything that the server says, in the words of `Happened`. */
const told = {
  auth: (part: Partial<AuthSuccess> = {}, me = him): Happened => ({ what: 'auth', auth: auth(part), me, at_ms: NOW }),
  search: (state: 'idle' | 'waiting' | 'offered' | 'break' | 'paused', reason?: 'absence'): Happened => ({
    what: 'search_state',
    search: { state, ...(reason && { reason }) },
    at_ms: NOW,
  }),
  pair: (offered = pair()): Happened => ({ what: 'search_pair', pair: offered, at_ms: NOW }),
  pair_closed: (pair_id = 'p1'): Happened => ({ what: 'search_pair_closed', pair_id, reason: 'expired' }),
  session: (part: Partial<Session> = {}): Happened => ({ what: 'new_session', session: session(part), at_ms: NOW }),
  close: (part: Partial<Receipt> = {}): Happened => ({ what: 'close_session', receipt: receipt(part), at_ms: NOW }),
  meter: (part: Partial<Meter> = {}): Happened => ({ what: 'meter', meter: meter(part), at_ms: NOW + 1000 }),
  text: (part: Partial<SessionText> = {}): Happened => ({ what: 'text_chat_message', text: text(part), at_ms: NOW }),
  ask: (user_id = 2): Happened => ({
    what: 'session_up',
    ask: { session_id: 7, user_id, expires_in_ms: 15_000, price: '1.5' },
    at_ms: NOW,
  }),
  declined: (): Happened => ({ what: 'session_up_declined', session_id: 7, reason: 'declined', at_ms: NOW }),
}
const start: Happened = { what: 'start_pressed', at_ms: NOW }
const leaving = (how: 'next' | 'end' | 'break'): Happened => ({ what: 'leaving', session_id: 7, how })
const seen: Happened = { what: 'partner_seen', session_id: 7 }

const after = (...happened: Happened[]): CallState => happened.reduce(reduce, NOBODY)
const sceneAfter = (...happened: Happened[]) => sceneOf(after(...happened))

describe('the scene', () => {
  test.each<[string, Happened[], string]>([
    ['nothing is shown before AUTH', [], 'loading'],
    ['AUTH without a search or a call is idle', [told.auth()], 'idle'],
    ['the press shows the search before the server answers', [told.auth(), start], 'searching'],
    ['an echo of an earlier stop does not end a fresh start', [told.auth(), start, told.search('idle')], 'searching'],
    ['a refused start is idle again', [told.auth(), start, { what: 'start_failed' }], 'idle'],
    ['waiting is searching', [told.auth(), told.search('waiting')], 'searching'],
    [
      'a camera that was not asked for yet is explained',
      [told.auth(), { what: 'gate', gate: 'permission' }],
      'permission',
    ],
    ['a camera that was refused is explained', [told.auth(), { what: 'gate', gate: 'denied' }], 'denied'],
    ['an offer is offered', [told.auth(), told.search('waiting'), told.pair()], 'offered'],
    ['an offer stays when its state is told after it', [told.auth(), told.pair(), told.search('offered')], 'offered'],
    ['an offered state without its card is still searching', [told.auth(), told.search('offered')], 'searching'],
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
    ['the end of another offer changes nothing', [told.auth(), told.pair(), told.pair_closed('p0')], 'offered'],
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
    ['End shows the receipt', [told.auth(), told.session(), seen, leaving('end'), told.close()], 'after'],
    ['stop is idle', [told.auth(), told.search('waiting'), { what: 'stop_pressed' }], 'idle'],
    ['out of the queue for a while', [told.auth(), told.search('paused', 'absence')], 'paused'],
    ['a closed receipt is idle', [told.auth(), told.session(), seen, told.close(), { what: 'receipt_closed' }], 'idle'],
  ])('%s', (_, happened, name) => expect(sceneAfter(...happened).name).toBe(name))

  test.each<[string, Happened[], string]>([
    ['she is back in search when he left', [told.session(), seen, told.close()], 'searching'],
    [
      'her break begins when she leaves for one',
      [told.session(), seen, leaving('break'), told.close({ reason: 'break' }), told.search('break')],
      'break',
    ],
    [
      'her break begins after the call it was set in',
      [told.session({ break_set: true }), seen, told.close(), told.search('break')],
      'break',
    ],
    ['a call that staff ended puts her nowhere', [told.session(), seen, told.close({ reason: 'moderator' })], 'after'],
  ])('to her: %s', (_, happened, name) => expect(sceneAfter(told.auth({}, her), ...happened).name).toBe(name))
})

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
    expect(sceneAfter(told.auth(), told.session(), seen, told.close(), told.session({ price: '1.5' })).name).toBe(
      'after',
    )
    expect(
      sceneAfter(told.auth(), told.session(), told.close(), told.auth({ active_session: session() })).name,
    ).not.toBe('connecting')
  })

  test('the receipt of an older call changes nothing on the screen', () => {
    expect(sceneAfter(told.auth(), told.session({ id: 8 }), told.close({ session_id: 7 })).name).toBe('connecting')
  })

  test('another identity begins from nothing', () => {
    const state = after(told.auth(), told.session(), seen, told.text(), told.auth({}, { ...him, id: 9 }))
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
    const state = after(told.auth({ search: { state: 'offered', pair: pair({ expires_in_ms: 4_000 }) } }))
    expect(sceneOf(state)).toMatchObject({ name: 'offered', expires_at_ms: NOW + 4_000, answer: null })
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
      after(told.auth(), told.pair(), { what: 'offer_answered', pair_id: 'p1', answer: 'skip' }, told.pair_closed())
        .offer_closed,
    ).toBeNull()
  })
})

describe('going private', () => {
  const running = [told.auth(), told.session(), seen]

  test('a question of hers stands until it is answered', () => {
    expect(after(...running, told.ask()).call?.ask).toEqual({ price: '1.5', expires_at_ms: NOW + 15_000 })
    expect(after(...running, told.ask(), { what: 'answered_private', session_id: 7 }).call?.ask).toBeNull()
  })

  test('a no to his question is shown, and the next one waits a minute', () => {
    const asked: Happened = { what: 'asked_private', session_id: 7, expires_at_ms: NOW + 15_000 }
    const { call } = after(...running, asked, told.declined())
    expect(call).toMatchObject({ own_ask: null, own_ask_answer: 'declined', ask_again_at_ms: NOW + 60_000 })
  })

  test('the answer to a crossed question, coming late, asks nothing of a private call', () => {
    const asked: Happened = { what: 'asked_private', session_id: 7, expires_at_ms: NOW + 15_000 }
    expect(after(...running, told.session({ state: 'private' }), asked).call?.own_ask).toBeNull()
  })

  test('the new price changes the call without beginning another', () => {
    const { call } = after(...running, told.text(), told.session({ state: 'private', price: '1.5' }))
    expect(call).toMatchObject({ is_met: true, session: { state: 'private', price: '1.5' } })
    expect(call?.texts).toHaveLength(1)
  })
})

describe('texts', () => {
  const running = [told.auth(), told.session(), seen]
  const written: Happened = { what: 'text_written', session_id: 7, id: 'mine', text: 'call 5551234567', at_ms: NOW }

  test('an own text is there at once and takes the server’s wording, told by answer, event or both in either order', () => {
    const sent: Happened = { what: 'text_sent', session_id: 7, id: 'mine', text_id: 5, text: 'call ***' }
    const heard = told.text({ id: 'mine', sender_id: 1, text_id: 5, text: 'call ***' })
    expect(after(...running, written).call?.texts).toMatchObject([{ state: 'sending', text: 'call 5551234567' }])
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
    const state = after(...running, written, heard, { what: 'text_failed', session_id: 7, id: 'mine' })
    expect(state.call?.texts).toMatchObject([{ state: 'sent' }])
  })

  test('texts stand in the order in which everybody sees them', () => {
    const state = after(...running, told.text({ text_id: 3, id: 'c' }), written, told.text({ text_id: 2, id: 'b' }))
    expect(state.call?.texts.map(({ id }) => id)).toEqual(['b', 'c', 'mine'])
  })

  test('dots show that she writes, until her text is there', () => {
    const typing: Happened = { what: 'session_typing', session_id: 7, user_id: 2, at_ms: NOW }
    expect(after(...running, typing).call?.typing_until_ms).toBe(NOW + 3_000)
    expect(after(...running, typing, told.text()).call?.typing_until_ms).toBe(0)
    expect(after(...running, { ...typing, user_id: 1 }).call?.typing_until_ms).toBe(0)
  })
})
