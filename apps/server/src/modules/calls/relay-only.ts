import type { Signal } from '@duet/protocol/contracts/signaling.ts'

/**
 * Where a relay is configured, neither partner learns the other's address: candidates that are not the relay's, and the
 * lines of a description that name one, do not pass.
 */
export function relayed(signal: Signal, relay_only: boolean): Signal | undefined {
  if (!relay_only) return signal
  if (signal.type_signal === 'ice-candidate') {
    const { data } = signal
    if (data === null || data.candidate === '') return signal
    if (!isRelay(data.candidate)) return undefined
    return { ...signal, data: { ...data, candidate: withoutOrigin(data.candidate) } }
  }
  return { ...signal, data: { ...signal.data, sdp: withoutAddresses(signal.data.sdp) } }
}

function isRelay(candidate: string): boolean {
  return / typ relay(?: |$)/.test(candidate)
}

/** A relay's candidate may name the address that it stands for. */
function withoutOrigin(line: string): string {
  return line.replace(/ raddr \S+ rport \d+/g, ' raddr 0.0.0.0 rport 9')
}

/** Drops foreign candidates; `c=` and `a=rtcp:` would name the address as well. */
function withoutAddresses(sdp: string): string {
  return sdp
    .split(/\r?\n/)
    .filter((line) => !line.startsWith('a=candidate:') || isRelay(line))
    .map((line) =>
      withoutOrigin(line)
        .replace(/^c=IN IP[46] .*/, 'c=IN IP4 0.0.0.0')
        .replace(/^a=rtcp:(\d+) IN .*/, 'a=rtcp:$1 IN IP4 0.0.0.0'),
    )
    .join('\r\n')
}
