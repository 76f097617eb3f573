export interface IceParams {
  ice_servers: RTCIceServer[]
  ice_transport_policy: RTCIceTransportPolicy
}

/** Credentials are valid for ten minutes. The difference is a margin for slow clocks and slow starts. */
export const TURN_PARAMS_FRESH_MS = 8 * 60_000

/**
 * Parses the `turn_params` of a `new_peer`. Throws a SyntaxError unless they are a JSON object: a guess could reveal
 * addresses that the server wants to hide.
 */
export function parseTurnParams(turn_params: string): IceParams {
  const parsed: unknown = JSON.parse(turn_params)
  if (typeof parsed !== 'object' || parsed === null)
    throw new SyntaxError('turn_params is not an object')
  const { iceServers, iceTransportPolicy } = parsed as Partial<RTCConfiguration>
  return {
    ice_servers: Array.isArray(iceServers) ? iceServers : [],
    ice_transport_policy: iceTransportPolicy === 'relay' ? 'relay' : 'all',
  }
}

/** One bundle and no separate RTCP: fewer ports to open, fewer relays to pay for. */
export function connectionConfiguration(turn: IceParams): RTCConfiguration {
  return {
    iceServers: turn.ice_servers,
    iceTransportPolicy: turn.ice_transport_policy,
    bundlePolicy: 'max-bundle',
    rtcpMuxPolicy: 'require',
  }
}
