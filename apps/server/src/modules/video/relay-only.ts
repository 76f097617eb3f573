import type { Signal } from '@duet/protocol/signal.ts'

/**
 * Where a relay is configured, neither partner learns the other's address: candidates that are not the relay's, and the
 * lines of a description that name one, do not pass.
 */
export function relayed(signal: Signal, relay_only: boolean): Signal | undefined {
  if (!relay_only) return signal
  if (signal.type_signal === 'ice-candidate') {
    const { data } = signal
    return data === null || data.candidate === '' || isRelay(data.candidate) ? signal : undefined
  }
  return { ...signal, data: { ...signal.data, sdp: withoutAddresses(signal.data.sdp) } }
}

function isRelay(candidate: string): boolean {
  return / typ relay(?: |$)/.test(candidate)
}

/** Drops foreign candidates; `c=` and the relay's own `raddr` would name the address as well. */
function withoutAddresses(sdp: string): string {
  return sdp
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('a=candidate:') || isRelay(line))
    .map((line) =>
      line.replace(/ raddr \S+ rport \d+/, ' raddr 0.0.0.0 rport 9').replace(/^c=IN IP([46]) .*/, 'c=IN IP$1 0.0.0.0'),
    )
    .join('\r\n')
}
