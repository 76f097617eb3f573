import type { EngineClock } from '../ports.ts'

export interface IceParams {
  ice_servers: RTCIceServer[]
  ice_transport_policy: RTCIceTransportPolicy
}

/** Credentials are valid for ten minutes. The difference is a margin for slow clocks and slow starts. */
const TURN_PARAMS_FRESH_MS = 8 * 60_000

/** The servers of the latest call, while their credentials are good. */
export class KnownServers {
  #clock: EngineClock
  #latest: { turn: IceParams; at_ms: number } | null = null

  constructor(clock: EngineClock) {
    this.#clock = clock
  }

  put(turn: IceParams): void {
    this.#latest = { turn, at_ms: this.#clock.now_ms() }
  }

  get(): IceParams | null {
    const { turn, at_ms } = this.#latest ?? {}
    return turn && this.#clock.now_ms() - at_ms! < TURN_PARAMS_FRESH_MS ? turn : null
  }
}

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
