import type { AuthSuccess, Meter, Receipt, SearchPair, Session, SessionText } from '@duet/protocol'
import type { OwnUser } from '../../src/shared/account/own-user.tsx'
import { chooseScreen } from '../../src/app/video/video-screen.ts'
import {
  INITIAL_VIDEO,
  reduceVideo,
  type VideoEvent,
  type VideoState,
} from '../../src/app/video/video-state.ts'

export const NOW = Date.parse('2026-11-21T20:00:00Z')
export const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString()

export const guy: OwnUser = {
  id: 1,
  role: 'guy',
  is_member: true,
  nick: 'Boris',
  avatar: null,
  avatar_status: 'none',
  avatar_shown: false,
  is_verified: false,
  verify_state: 'none',
  auto_accept: false,
  balance: '10',
  quota_seconds: 0,
}
export const girl: OwnUser = {
  ...guy,
  id: 2,
  role: 'girl',
  nick: 'Anna',
  is_verified: true,
  verify_state: 'verified',
}

export const anna: Session['user_interlocutor'] = {
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

export function session(part: Partial<Session> = {}): Session {
  return {
    id: 7,
    kind: 'random',
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
    partner_grace: 10,
    private_ask_again: 60,
    started_at: at(0),
    ...part,
  }
}

export function pair(part: Partial<SearchPair> = {}): SearchPair {
  const offer = {
    kind: 'random',
    pair_id: 'p1',
    user_interlocutor: anna,
    state: 'public',
    price: '1',
  } as const
  return { ...offer, free_seconds: 10, expires_in_ms: 10_000, ...part } as SearchPair
}

export const preview = pair({
  kind: 'preview',
  user_interlocutor: { role: 'girl', locale: 'pt', avatar_blurred: null },
})

function receipt(part: Partial<Receipt> = {}): Receipt {
  const times = { seconds: 30, paid_seconds: 20, free_seconds: 10, quota_seconds: 0 }
  return {
    session_id: 7,
    reason: 'left',
    ...times,
    paused: [],
    balance: '9',
    spent: '0.3333',
    ...part,
  }
}

export function auth(part: Partial<AuthSuccess> = {}): AuthSuccess {
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

export const meter = (part: Partial<Meter> = {}): Meter => ({
  session_id: 7,
  phase: 'free',
  phase_since: at(1),
  paid_seconds: 0,
  balance: '10',
  ...part,
})
export const text = (part: Partial<SessionText> = {}): SessionText => ({
  session_id: 7,
  text_id: 1,
  id: 'a',
  sender_id: 2,
  text: 'Hello',
  create_time: at(2),
  ...part,
})

/** The events of the server, as the reducer receives them. */
export const events = {
  auth: (part: Partial<AuthSuccess> = {}, me = guy): VideoEvent => ({
    type: 'authenticated',
    auth: auth(part),
    me,
    at_ms: NOW,
  }),
  search: (
    state: 'idle' | 'waiting' | 'offered' | 'break' | 'paused',
    reason?: 'absence',
  ): VideoEvent => ({
    type: 'search_state',
    payload: { state, ...(reason && { reason }) },
    at_ms: NOW,
  }),
  pair: (offered = pair()): VideoEvent => ({ type: 'search_pair', payload: offered, at_ms: NOW }),
  pairClosed: (pair_id = 'p1'): VideoEvent => ({
    type: 'search_pair_closed',
    payload: { pair_id, reason: 'expired' },
    at_ms: NOW,
  }),
  session: (part: Partial<Session> = {}): VideoEvent => ({
    type: 'new_session',
    payload: { session: session(part) },
    at_ms: NOW,
  }),
  close: (part: Partial<Receipt> = {}): VideoEvent => ({
    type: 'close_session',
    payload: receipt(part),
    at_ms: NOW,
  }),
  meter: (part: Partial<Meter> = {}): VideoEvent => ({
    type: 'meter',
    payload: meter(part),
    at_ms: NOW + 1000,
  }),
  text: (part: Partial<SessionText> = {}): VideoEvent => ({
    type: 'text_chat_message',
    payload: text(part),
    at_ms: NOW,
  }),
  ask: (user_id = 2): VideoEvent => ({
    type: 'session_up',
    payload: { session_id: 7, user_id, expires_in_ms: 15_000, price: '1.5' },
    at_ms: NOW,
  }),
  declined: (): VideoEvent => ({
    type: 'session_up_declined',
    payload: { session_id: 7, reason: 'declined' },
    at_ms: NOW,
  }),
}
export const start: VideoEvent = { type: 'start_pressed', at_ms: NOW }
export const leaving = (how: 'next' | 'end' | 'break'): VideoEvent => ({
  type: 'leaving',
  session_id: 7,
  how,
})
export const seen: VideoEvent = { type: 'partner_seen', session_id: 7 }

export const after = (...all: VideoEvent[]): VideoState => all.reduce(reduceVideo, INITIAL_VIDEO)
export const screenAfter = (...all: VideoEvent[]) => chooseScreen(after(...all), null)
