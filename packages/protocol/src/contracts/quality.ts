import { z } from 'zod'
import { endpoint, type Method, type ContractSchema } from '../kernel/contract.ts'
import { limits } from '../kernel/limits.ts'
import { Millis, nothing, withKeysUpTo } from '../kernel/primitives.ts'

/**
 * The collector of call quality, with the conventions of an outside service. Bodies are JSON in text/plain,
 * and answers are bare. The public project key is in X-Project-Key. Beacons carry the key in the body as
 * `key`.
 */

const Name = z.string().min(1).max(limits.name_characters)
const Facts = z.unknown()

/** Carried by every call; `delta`: its age in ms, for delayed and repeated bodies. */
const Base = z.object({
  sessionId: Name,
  peerId: Name,
  timestamp: z.number().optional(),
  delta: z.number().optional(),
  key: z.string().max(limits.token_characters).optional(),
})

/** The quality session is bound to a live video session or a search; the ortc_token identifies the user. */
export const QualitySession = Base.extend({
  publicKey: z.string().max(limits.token_characters).optional(),
  userId: z.union([Name, z.int()]),
  appVersion: z.string().max(16),
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
}).partial({
  platform: true,
  constraints: true,
  devices: true,
  battery: true,
  cores: true,
  memory: true,
  timing: true,
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

const Ids = z.object({ peer_id: z.string().optional(), connection_id: z.string().optional() })

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
    rate: '2/s',
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
    'Ends the quality session.',
    Base,
  ),
  'POST /quality/v1/device-event': collector(
    'POST',
    'device-event',
    'What happened to page or devices.',
    Base.extend({
      eventName: z.enum(['tabFocus', 'mediaDeviceChange', 'custom', 'beforeunload', 'unload']),
      focus: z.boolean().optional(),
      devices: Facts.optional(),
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
    'How good the network is, 1 to 5 each way.',
    Base.extend({
      connectionId: Name.optional(),
      score: z.object({
        inbound: z.number().optional(),
        outbound: z.number().optional(),
        samples: Facts.optional(),
      }),
    }),
  ),
  'POST /quality/v1/track': collector('POST', 'track', 'A track arrived.', TrackEvent),
  'PUT /quality/v1/track': collector('PUT', 'track', 'A track changed or ended.', TrackEvent),
}

export const endpoints = {
  'POST log/camera': endpoint('POST', 'log/camera', {
    summary: 'Why camera or microphone could not be had.',
    who: 'guest',
    rate: '2/s',
    body: z.object({
      device: z.object({
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
