import type { ConnectionEvent } from '@duet/protocol/contracts/quality.ts'

/** The states that a browser reports with an event. */
const STATES: Readonly<Record<string, ReadonlySet<unknown>>> = {
  oniceconnectionstatechange: new Set([
    'new',
    'checking',
    'connected',
    'completed',
    'failed',
    'disconnected',
    'closed',
  ]),
  onconnectionstatechange: new Set([
    'new',
    'connecting',
    'connected',
    'disconnected',
    'failed',
    'closed',
  ]),
  onicegatheringstatechange: new Set(['new', 'gathering', 'complete']),
  onsignalingstatechange: new Set([
    'stable',
    'have-local-offer',
    'have-remote-offer',
    'have-local-pranswer',
    'have-remote-pranswer',
    'closed',
  ]),
}

/** The details of an event of a connection that are stored. Undefined: no browser has the state that it names. */
export function readConnectionDetails(
  body: Omit<ConnectionEvent, 'sessionId' | 'peerId'>,
): Record<string, unknown> | undefined {
  const { eventName, connectionId, peerName, connectionState, isSfu, data = null } = body
  const state = eventName === 'onsignalingstatechange' ? readSignaling(data) : data
  const known = STATES[eventName]
  if (known && !known.has(state)) return undefined
  return {
    connection: connectionId,
    ...(peerName !== undefined && { partner: peerName }),
    ...(connectionState !== undefined && { state: connectionState }),
    ...(isSfu === true && { is_sfu: true }),
    data: state,
  }
}

/** The event also carries both descriptions, which are not stored. */
function readSignaling(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data
  return (data as { signalingState?: unknown }).signalingState
}
