import type { Signal } from '@duet/protocol/contracts/signaling.ts'

/**
 * If a relay is the only way, neither party learns the other's address. Returns the signal without candidates and lines
 * that name another address than the relay's; undefined if nothing of it may be forwarded.
 */
export function relayOnly(signal: Signal, isOnlyWay: boolean): Signal | undefined {
  if (!isOnlyWay) return signal
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

/** A candidate of the relay may contain the client's own address. */
function withoutOrigin(line: string): string {
  return line.replace(/ raddr \S+ rport \d+/g, ' raddr 0.0.0.0 rport 9')
}

/** Removes other candidates, and the address from `c=` and `a=rtcp:`. */
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
