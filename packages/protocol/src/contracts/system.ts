import { z } from 'zod'
import { endpoint, event } from '../kernel/contract.ts'
import { WireRole } from '../kernel/entities.ts'
import { ErrorPayload } from '../kernel/envelope.ts'
import { Count, Millis, nothing, Url, UserId } from '../kernel/primitives.ts'

const feature = z.object({ on: z.boolean() })

/** A user of the demo installation. */
export const CastMember = z.object({
  user_id: UserId,
  nick: z.string(),
  role: WireRole,
  avatar: Url.nullable(),
  is_premium: z.boolean(),
  about: z.string().optional(),
})
export type CastMember = z.output<typeof CastMember>

/** The features of this installation, with the public keys that a browser needs for them. */
export const Features = z.object({
  captcha: feature.extend({
    kind: z.enum(['altcha', 'turnstile', 'hcaptcha']).optional(),
    key: z.string().optional(),
  }),
  /** The outside service of PRO_D_INFO; on where browsers load its script. */
  fingerprint: feature.extend({
    key: z.string().optional(),
    region: z.enum(['us', 'eu', 'ap']).optional(),
  }),
  monitoring: feature.extend({
    url: Url.optional(),
    key: z.string().optional(),
    stats_ms: Millis.optional(),
  }),
  /** Dialogs with texts and pictures. */
  messenger: feature,
  /** Messages can be read in another language. */
  translation: feature,
  /** Off: the installation sends no mails, so nothing can be confirmed or recovered by mail. */
  mail: feature,
  /** Girls’ pages look for a face before the camera, and report when there was none for this long. */
  faces: feature.extend({ absence_ms: Millis.optional() }),
  /** Short videos in galleries. */
  videos: feature,
  push: feature.extend({ key: z.string().optional() }),
  /** The services of statistics that count calls in the frame `/statistics`. */
  analytics: feature.extend({
    counters: z
      .array(z.object({ service: z.enum(['yandex', 'google']), key: z.string() }))
      .optional(),
  }),
  payments: feature.extend({
    methods: z.array(z.string()).optional(),
    cloudpayments: z.object({ key: z.string() }).optional(),
  }),
  turn: feature,
})
export type Features = z.output<typeof Features>

export const System = z.object({
  /** 32 bytes in base64: the key of `message_main`, public by nature. */
  socket_secret_key: z.string(),
  client_version: z.string(),
  women_online: Count,
  features: Features,
  /** The proof of age that the viewer's country requires, and the version of the terms confirmed with it. */
  age_gate: z.object({
    proof: z.enum(['confirmation', 'provider']),
    provider: z.string().optional(),
    terms_version: z.string(),
  }),
  /** Only in the demo installation: the users that can be signed in as, and the other loopback origin for a second window. */
  demo: z.object({ cast: z.array(CastMember) }).optional(),
})
export type System = z.output<typeof System>

export const actions = {}

export const events = {
  force_close_connection: event('force_close_connection', {
    summary: 'The page must be loaded again.',
    payload: z.object({ reason: z.enum(['new_version', 'role_changed', 'erased', 'operator']) }),
  }),
  reconnect: event('reconnect', {
    summary: 'This server drains: reconnect after the given time; calls go on.',
    payload: z.object({ after_ms: Millis }),
  }),
}

/** The family `error_{code}`: one event for each code, sent to the client that caused it. */
export function errorEvent<Code extends number>(code: Code) {
  return event(`error_${code}`, {
    summary: 'An action was refused or failed.',
    payload: ErrorPayload,
  })
}

export const endpoints = {
  'GET system': endpoint('GET', 'system', {
    summary: 'What a client needs before it connects.',
    who: 'any',
    banned: true,
    data: System,
    refuses: [],
  }),
  'GET /statistics': endpoint('GET', '/statistics', {
    summary:
      'The frame in which the scripts of the services of statistics run; 404 where the installation has none.',
    who: 'any',
    banned: true,
    gives: 'raw',
    data: nothing,
    refuses: ['not_found'],
  }),
  'GET health': endpoint('GET', 'health', {
    summary: 'The process is alive.',
    who: 'any',
    banned: true,
    data: z.object({ status: z.literal('ok') }),
    refuses: [],
  }),
  'GET ready': endpoint('GET', 'ready', {
    summary: 'Database, bus and storage can be used; 503 when one cannot or the server drains.',
    who: 'any',
    banned: true,
    data: z.object({ database: z.boolean(), bus: z.boolean(), storage: z.boolean() }),
    refuses: ['draining'],
  }),
}
