import { isIP } from 'node:net'
import { createAddressList } from '../../../lib/addresses/address-list.ts'

/** The addresses that a page may send to the other page. */
export interface AddressPolicy {
  /** If set, only relayed candidates of the relay pass. */
  readonly isRelayAddress: ((address: string) => boolean) | undefined
  /** Both browsers may run on this machine, which only the demo installation expects. */
  readonly allowsLoopback: boolean
}

/** A candidate by its positions (RFC 8839, section 5.1). Only parts that a browser needs are read. */
interface IceCandidateParts {
  readonly foundation: string
  readonly component: string
  readonly priority: string
  readonly address: string
  readonly port: string
  readonly type: 'host' | 'srflx' | 'prflx' | 'relay'
  readonly extensions: readonly string[]
}

/** A candidate that may be forwarded. */
export interface PermittedCandidate {
  /** Written from the parsed parts, so that it contains nothing that was not checked. */
  readonly line: string
  /** The destination that the other browser will probe: equal for repeated candidates. */
  readonly destination: string
}

/** The positions of a candidate, exactly one space between them. `raddr` and `rport` are read and not passed on. */
const CANDIDATE =
  /^candidate:([\w+/]{1,32}) ([12]) udp (\d{1,10}) ([\w.:-]{1,64}) (\d{1,5}) typ (host|srflx|prflx|relay)(?: raddr \S+ rport \d+)?((?: [\w-]{1,32} [\w+/=-]{1,256})*)$/i
/** The extensions that browsers append and read. Any other extension is dropped. */
const EXTENSIONS: ReadonlySet<string> = new Set([
  'generation',
  'ufrag',
  'network-id',
  'network-cost',
])
const MDNS_NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.local$/i
const PRIORITY_MAX = 2 ** 32 - 1
const PORT_MAX = 65_535

/** Addresses that only a partner who attacks sends: no packet of a call can arrive from them. */
const NEVER = createAddressList([
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
  // Forms that contain an IPv4 address, which may be any of the above.
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fec0::', 10],
  ['fe80::', 10],
  ['ff00::', 8],
])
const LOOPBACK = createAddressList([
  ['127.0.0.0', 8],
  ['::1', 128],
])

/** The candidate, written again from its parts; undefined if it may not be forwarded. */
export function permittedCandidate(
  candidate: string,
  policy: AddressPolicy,
): PermittedCandidate | undefined {
  const parts = parseCandidate(candidate)
  if (!parts || !isPermitted(parts, policy)) return undefined
  const { component, address, port, type } = parts
  return {
    line: formatCandidate(parts),
    destination: `${component} ${address.toLowerCase()} ${port} ${type}`,
  }
}

function parseCandidate(candidate: string): IceCandidateParts | undefined {
  const found = CANDIDATE.exec(candidate)
  if (!found) return undefined
  const [, foundation, component, priority, address, port, type, extensions] = found
  if (Number(priority) > PRIORITY_MAX || Number(port) === 0 || Number(port) > PORT_MAX)
    return undefined
  return {
    foundation: foundation!,
    component: component!,
    priority: priority!,
    address: address!,
    port: port!,
    type: type!.toLowerCase() as IceCandidateParts['type'],
    extensions: extensions!.trim().split(' '),
  }
}

function isPermitted({ address, type }: IceCandidateParts, policy: AddressPolicy): boolean {
  if (policy.isRelayAddress) return type === 'relay' && policy.isRelayAddress(address)
  if (isIP(address) === 0) return type === 'host' && MDNS_NAME.test(address)
  return LOOPBACK.has(address) ? policy.allowsLoopback : !NEVER.has(address)
}

function formatCandidate(parts: IceCandidateParts): string {
  const { foundation, component, priority, address, port, type, extensions } = parts
  const line = [
    `candidate:${foundation} ${component} udp ${priority} ${address} ${port} typ ${type}`,
    // The base address of a relayed or reflexive candidate would show where the user is.
    ...(type === 'host' ? [] : ['raddr 0.0.0.0 rport 9']),
  ]
  for (let at = 0; at + 1 < extensions.length; at += 2)
    if (EXTENSIONS.has(extensions[at]!)) line.push(`${extensions[at]} ${extensions[at + 1]}`)
  return line.join(' ')
}
