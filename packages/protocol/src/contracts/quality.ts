import { z } from 'zod'
import { endpoint, type Method, type ContractSchema } from '../kernel/contract.ts'
import { limits } from '../kernel/limits.ts'
import { Id, Millis, nothing, withKeysUpTo } from '../kernel/primitives.ts'

/**
 * The collector of call quality, with the conventions of an outside service. Bodies are JSON in text/plain,
 * answers are bare, and errors are `{ error_code, message }`. The header Public-Key has the public key of
 * `GET system`, the header Peer-Token has the sender's `ortc_token`.
 */

/** A user's answer about a call, from 1 (bad) to 5 (good). */
export const CallOpinion = z.int().min(1).max(5)

const Name = z.string().min(1).max(limits.name_characters)
const Facts = z.unknown()

/**
 * Carried by every call. `sessionId` is the id of the video session, `peerId` the sender's own user id. `delta`: the age
 * of a delayed or repeated body in ms; the age of any other body is 0.
 */
const Base = z.object({
  sessionId: z.union([Name, z.int()]),
  peerId: z.union([Name, z.int()]),
  timestamp: z.number().optional(),
  delta: z.number().optional(),
})
export type QualityBody = z.output<typeof Base>

export const QualitySession = Base.extend({
  appVersion: z.string().max(limits.quality_version_characters),
  meta: withKeysUpTo(
    limits.quality_meta_keys,
    z.record(Name, z.union([z.string().max(limits.title_characters), z.number(), z.boolean()])),
  ).optional(),
})
export type QualitySession = z.output<typeof QualitySession>

export const QualityDevice = Base.extend({
  platform: Facts,
  constraints: Facts,
  devices: Facts,
  battery: Facts,
  cores: Facts,
  memory: Facts,
  timing: Facts,
  network: Facts,
}).partial({
  platform: true,
  constraints: true,
  devices: true,
  battery: true,
  cores: true,
  memory: true,
  timing: true,
  network: true,
})
export type QualityDevice = z.output<typeof QualityDevice>

export const ConnectionEvent = Base.extend({
  eventName: Name,
  connectionId: Name.optional(),
  peerName: Name.optional(),
  connectionState: Name.optional(),
  isSfu: z.boolean().optional(),
  timeDelta: z.number().optional(),
  data: Facts.optional(),
})
export type ConnectionEvent = z.output<typeof ConnectionEvent>

export const TrackEvent = Base.extend({
  event: Name,
  connectionId: Name,
  trackId: Name,
  data: Facts.optional(),
})
export type TrackEvent = z.output<typeof TrackEvent>

/** An event of a batch: each is judged alone. */
export const BatchedEvent = ConnectionEvent.omit({ sessionId: true, peerId: true })

/**
 * The ids to use from then on. Of a session: how often to send statistics, where this user is to send them more often
 * than others.
 */
const Ids = z.object({
  peer_id: z.string().optional(),
  connection_id: z.string().optional(),
  stats_ms: Millis.optional(),
})
export type QualityIds = z.output<typeof Ids>

function collector<M extends Method, Path extends string, Body extends ContractSchema>(
  method: M,
  path: Path,
  summary: string,
  body: Body,
) {
  return endpoint(method, `/quality/v1/${path}` as `/quality/v1/${Path}`, {
    summary,
    who: 'any',
    credential: 'project',
    banned: true,
    takes: 'text',
    gives: 'raw',
    body,
    data: Ids,
    refuses: ['session_invalid', 'not_found', 'too_large'],
  })
}

export const actions = {}

export const events = {}

const collectorEndpoints = {
  'POST /quality/v1/session': collector(
    'POST',
    'session',
    'Begins a quality session.',
    QualitySession,
  ),
  'PUT /quality/v1/session': collector('PUT', 'session', 'Adds what the device is.', QualityDevice),
  'POST /quality/v1/close-session': collector(
    'POST',
    'close-session',
    'Ends the sending; the server sums up after the call.',
    Base,
  ),
  'POST /quality/v1/device-event': collector(
    'POST',
    'device-event',
    'What happened to page or devices.',
    Base.extend({
      eventName: z.enum(['tabFocus', 'mediaDeviceChange', 'custom', 'beforeunload', 'unload']),
      data: Facts.optional(),
    }),
  ),
  'POST /quality/v1/gum-event': collector(
    'POST',
    'gum-event',
    'How asking for camera and microphone went.',
    Base.extend({ eventName: Name.default('getUserMedia'), data: Facts.optional() }),
  ),
  'POST /quality/v1/rtc-connection': collector(
    'POST',
    'rtc-connection',
    'An event of a connection; addConnection is answered with the ids to use from then on.',
    ConnectionEvent,
  ),
  'POST /quality/v1/rtc-connection-batch': collector(
    'POST',
    'rtc-connection-batch',
    'Several events at once; each is judged alone.',
    Base.extend({
      events: z
        .array(
          withKeysUpTo(limits.chosen_keys, z.record(z.string().max(limits.name_characters), Facts)),
        )
        .max(limits.page_items_max),
    }),
  ),
  'POST /quality/v1/stats': collector(
    'POST',
    'stats',
    'The statistics of a connection.',
    Base.extend({ connectionId: Name, data: Facts, timeTaken: Millis.optional() }),
  ),
  'POST /quality/v1/webrtc-issue': collector(
    'POST',
    'webrtc-issue',
    'An issue that the page found.',
    Base.extend({
      connectionId: Name.optional(),
      issue: z.object({
        type: Name,
        reason: Name,
        ssrc: z.number().optional(),
        trackIdentifier: Name.optional(),
        statsSample: Facts.optional(),
      }),
    }),
  ),
  'POST /quality/v1/webrtc-score': collector(
    'POST',
    'webrtc-score',
    "How good the network is, 1 to 5 each way; or the user's own opinion of the call, stored once.",
    Base.extend({
      connectionId: Name.optional(),
      score: z.object({
        inbound: z.number().optional(),
        outbound: z.number().optional(),
        samples: Facts.optional(),
        opinion: CallOpinion.optional(),
      }),
    }),
  ),
  'POST /quality/v1/track': collector('POST', 'track', 'A track arrived.', TrackEvent),
  'PUT /quality/v1/track': collector('PUT', 'track', 'A track changed or ended.', TrackEvent),
}

export const endpoints = {
  'POST quality/question': endpoint('POST', 'quality/question', {
    summary:
      'Whether the user may be asked about a call of theirs that was bad. A yes is the one question of the day; for the same call the answer stays the same until the opinion is stored.',
    who: 'guest',
    rate: '10/min',
    body: z.object({ session_id: Id }),
    data: z.object({ ask: z.boolean() }),
    refuses: ['not_found'],
  }),
  'POST log/camera': endpoint('POST', 'log/camera', {
    summary: 'Why camera or microphone could not be had.',
    who: 'guest',
    rate: '2/s',
    body: z.object({
      device: z.object({
        /** Of the devices that the browser names. */
        labels: z
          .array(z.string().max(limits.title_characters))
          .max(limits.page_items_max)
          .optional(),
        kinds: z.array(Name).max(limits.page_items_max).optional(),
        error: z.string().max(limits.comment_characters).optional(),
      }),
    }),
    data: nothing,
    refuses: ['too_large'],
  }),
  ...collectorEndpoints,
}
