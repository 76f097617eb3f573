import type { MonitoringEnvironment } from './environment.ts'

/** Every check of the library's arguments, with its sentence. */

export interface MonitoringOptions {
  /** The public key of the collector. */
  readonly publicKey: string
  readonly userId: string | number
  /** Where the collector is, with a slash at its end. */
  readonly url?: string
  /** The secret of the user, for a collector that asks for one. */
  readonly peerToken?: () => string | undefined
  readonly appVersion?: string
  readonly meta?: Readonly<Record<string, string | number | boolean>>
  /** In ms; 1000 by default. */
  readonly getStatsInterval?: number
  /** Sends the events of connections together; off by default. */
  readonly batchConnectionEvents?: boolean
  readonly debug?: boolean
}

export interface AddedConnection {
  readonly pc: RTCPeerConnection
  /** The other peer of the connection. */
  readonly peerId: string
  readonly connectionId?: string
  readonly peerName?: string
  readonly isSfu?: boolean
}

const META_KEYS_MAX = 5
const VERSION_CHARACTERS_MAX = 16
const EVENT_NAME_CHARACTERS_MAX = 120
const EVENT_BYTES_MAX = 2048

function demand(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function checkOptions(options: MonitoringOptions, environment: MonitoringEnvironment): void {
  demand(isObject(options), 'Invalid argument. Expected object, got something else.')
  const { publicKey, userId, appVersion, meta, getStatsInterval } = options
  demand(Boolean(publicKey), 'publicKey is required')
  demand(Boolean(userId), 'userId is required')
  if (appVersion !== undefined) {
    demand(typeof appVersion === 'string', 'appVersion must be a string')
    const isShort = appVersion.length <= VERSION_CHARACTERS_MAX
    demand(isShort, 'appVersion must have a max length of 16')
  }
  if (meta !== undefined) {
    demand(isObject(meta), 'The meta attribute should be of type object')
    const isSmall = Object.keys(meta).length <= META_KEYS_MAX
    demand(isSmall, 'Argument meta should only have a maximum of 5 attributes')
  }
  if (getStatsInterval !== undefined)
    demand(
      Number.isInteger(getStatsInterval) && getStatsInterval >= 0,
      `getStatsInterval should be an integer, got: ${String(getStatsInterval)}`,
    )
  checkEnvironment(environment)
}

function checkEnvironment({
  isBrowser,
  RTCPeerConnection,
  hasGetUserMedia,
  fetch,
}: MonitoringEnvironment): void {
  demand(isBrowser, 'The SDK is meant to be used in a browser.')
  demand(
    RTCPeerConnection !== undefined && hasGetUserMedia,
    "This device doesn't seem to support RTCPeerConnection or getUserMedia",
  )
  demand(fetch !== undefined, "This device doesn't seem to support the fetch API.")
}

export function checkAdded(
  options: AddedConnection,
  { RTCPeerConnection, RTCIceGatherer }: MonitoringEnvironment,
): void {
  demand(isObject(options), 'Argument for addConnection() should be an object.')
  const { pc, peerId, connectionId, peerName } = options
  demand(
    Boolean(pc) && pc instanceof (RTCPeerConnection as never),
    "Missing argument 'pc' or is not of instance RTCPeerConnection",
  )
  demand(Boolean(peerId), 'Missing argument peerId')
  if (connectionId !== undefined)
    demand(typeof connectionId === 'string', 'connectionId must be a string.')
  if (peerName !== undefined) demand(typeof peerName === 'string', 'peerName should be a string')
  demand(RTCIceGatherer === undefined, "Can't monitor peers in Edge at this time.")
}

export interface NamedConnection {
  readonly pc?: RTCPeerConnection
  readonly connectionId?: string
}

export function checkNamed(
  options: NamedConnection,
  { RTCPeerConnection }: MonitoringEnvironment,
): void {
  const { pc, connectionId } = isObject(options) ? options : {}
  const isNamed = Boolean(pc) || Boolean(connectionId)
  demand(isNamed, 'Missing arguments. You need to either send pc or a connectionId.')
  if (connectionId) demand(typeof connectionId === 'string', 'connectionId must be a string.')
  else
    demand(
      pc instanceof (RTCPeerConnection as never),
      'pc must be an instance of RTCPeerConnection.',
    )
}

export function checkPeerId(peerId: string): void {
  demand(typeof peerId === 'string', 'Argument for removePeer() should be a string.')
}

export function checkEvent(event: { readonly eventName?: string }): void {
  demand(isObject(event), 'Parameter for addEvent() should be an object.')
  const { eventName } = event
  demand(
    eventName === undefined || String(eventName).length < EVENT_NAME_CHARACTERS_MAX,
    'eventName should be shorter than 120.',
  )
  demand(countBytes(event) <= EVENT_BYTES_MAX, 'Custom event body size limit reached.')
}

function countBytes(event: object): number {
  try {
    return new TextEncoder().encode(JSON.stringify(event)).length
  } catch {
    throw new Error('Custom event is not serializable.')
  }
}
