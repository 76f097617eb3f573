import { z } from 'zod'
import { event } from '../kernel/contract.ts'
import { limits } from '../kernel/limits.ts'
import { DataMode } from '../kernel/entities.ts'
import { Count, Id, notes, textOfBytes, Token, Uuid } from '../kernel/primitives.ts'

/**
 * The signaling socket: named events both ways, without acknowledgements. After `auth_success` every
 * payload is `packet(cipher_key, payload)`. The answer to a wrong token is `error_102` and a close. The
 * answer to a foreign call is `error_305`.
 */

/** Identifiers of a description: browsers write nothing else in them. */
const SdpToken = z.string().regex(/^[\x21-\x7e]*$/)
export const SessionDescription = z.object({
  type: z.enum(['offer', 'answer']),
  sdp: textOfBytes(limits.sdp_bytes),
  /** Of an answer: the ICE user name of its offer. A restart has another name, and no late answer counts for the restart. */
  answers: SdpToken.max(256).optional(),
})
export type SessionDescription = z.output<typeof SessionDescription>
/** An `RTCIceCandidateInit`. */
export const IceCandidate = z.object({
  candidate: z.string().max(limits.candidate_characters),
  sdpMid: SdpToken.max(limits.name_characters).nullable().optional(),
  sdpMLineIndex: z.int().min(0).max(65_535).nullable().optional(),
  usernameFragment: SdpToken.max(256).nullable().optional(),
})
export type IceCandidate = z.output<typeof IceCandidate>

const ids = { session_id: Id.optional(), prepare_id: Uuid.optional(), session_guid: Uuid }

/** Between the two pages, by way of the server; belongs either to a call or to a preparation. */
export const Signal = z
  .discriminatedUnion('type_signal', [
    z.object({ ...ids, type_signal: z.literal('offer'), data: SessionDescription }),
    z.object({ ...ids, type_signal: z.literal('ice-candidate'), data: IceCandidate.nullable() }),
    z.object({ ...ids, type_signal: z.literal('reached'), data: z.null() }),
  ])
  .refine((signal) => (signal.session_id === undefined) !== (signal.prepare_id === undefined), {
    path: ['session_id'],
    message: 'Either session_id or prepare_id',
  })
  .register(notes, {
    examples: [
      {
        session_id: 7,
        session_guid: 'f3b1c9d2-7a54-4e0b-9a63-2d8c5e1f4a70',
        type_signal: 'offer',
        data: { type: 'offer', sdp: 'v=0' },
      },
    ],
  })
export type Signal = z.output<typeof Signal>

const Running = z.object({ session_id: Id, session_guid: Uuid })

/** The start of a new or renewed peer connection; `turn_params` is JSON of `TurnParams`. */
export const NewPeer = Running.extend({ initiator: z.boolean(), turn_params: z.string() })
export type NewPeer = z.output<typeof NewPeer>

/** A partner who may come next, without their identity. */
export const PreparePeer = z.object({
  prepare_id: Uuid,
  session_guid: Uuid,
  initiator: z.boolean(),
  turn_params: z.string(),
})
export type PreparePeer = z.output<typeof PreparePeer>

export const TurnParams = z.object({
  iceServers: z.array(
    z.object({
      urls: z.union([z.string(), z.array(z.string())]),
      username: z.string().optional(),
      credential: z.string().optional(),
    }),
  ),
  iceTransportPolicy: z.enum(['all', 'relay']),
})
export type TurnParams = z.output<typeof TurnParams>

/** Counters of this `session_guid` only. */
export const PeerState = Running.extend({
  frames_decoded: Count,
  frames_sent: Count,
  reports_received: Count,
  audio: z.boolean(),
  video: z.boolean(),
  /** How much of the partner's picture this page wants; absent is `full`. */
  data_mode: DataMode.optional(),
  /** The network of this page carries only a small picture. */
  weak: z.boolean().optional(),
})
export type PeerState = z.output<typeof PeerState>

/** Events that a page sends. */
export const signalSent = {
  AUTH: event('AUTH', {
    summary:
      'Opens the socket by the user’s present ortc_token, in the tab of the live main socket; the only plain payload.',
    payload: z.object({ ortc_token: Token, tab_id: Uuid }),
  }),
  JOIN_SESSION: event('JOIN_SESSION', {
    summary:
      'Is ready for the call; with the running guid after a lost socket, without it after a reload.',
    payload: z.object({ session_id: Id, session_guid: Uuid.optional() }),
  }),
  WEBRTC_SIGNAL: event('WEBRTC_SIGNAL', {
    summary: 'A description or a candidate for the partner, or that the page reaches the partner.',
    payload: Signal,
  }),
  PEER_CONNECTED: event('PEER_CONNECTED', {
    summary: 'The connection is established and a frame of the partner was decoded.',
    payload: Running.extend({ reason: z.string().max(limits.title_characters).optional() }),
  }),
  PEER_NOT_CONNECTED: event('PEER_NOT_CONNECTED', {
    summary: 'The connection failed.',
    payload: Running.extend({ reason: z.string().max(limits.title_characters).optional() }),
  }),
  PEER_STATE: event('PEER_STATE', {
    summary: 'Counters of frames sent and decoded, every 2 s while connected: input of the meter.',
    payload: PeerState,
  }),
  PREPARED: event('PREPARED', {
    summary: 'The second connection is established.',
    payload: z.object({ prepare_id: Uuid }),
  }),
  LOG: event('LOG', {
    summary: 'An entry of the session’s quality record.',
    payload: z.object({
      level: z.enum(['debug', 'info', 'warn', 'error']),
      text: textOfBytes(limits.log_bytes),
    }),
  }),
} as const

/** Events that the server sends, beside `error_{code}`. */
export const signalHeard = {
  auth_success: event('auth_success', {
    summary: 'The socket is open; from now on payloads are packets under this key.',
    payload: z.object({ cipher_key: z.string() }),
  }),
  new_peer: event('new_peer', {
    summary: 'Start, or go on with, the connection of this guid.',
    payload: NewPeer,
  }),
  peer_signal: event('peer_signal', {
    summary: 'A description or a candidate of the partner.',
    payload: Signal,
  }),
  prepare_peer: event('prepare_peer', {
    summary: 'Prepare a second connection, without camera, to the next partner.',
    payload: PreparePeer,
  }),
  prepare_cancelled: event('prepare_cancelled', {
    summary: 'The preparation is over.',
    payload: z.object({ prepare_id: Uuid }),
  }),
} as const

export type SignalSentName = keyof typeof signalSent
export type SignalHeardName = keyof typeof signalHeard
export type SignalSent<E extends SignalSentName> = z.input<(typeof signalSent)[E]['payload']>
export type SignalHeard<E extends SignalHeardName> = z.input<(typeof signalHeard)[E]['payload']>
