import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@duet/protocol'
import type { Signal } from '@duet/protocol/contracts/signaling.ts'
import { permittedCandidate, type AddressPolicy } from './ice-candidate.ts'
import { filterSignal, noCandidates } from './signal-filter.ts'

const DIRECT: AddressPolicy = { isRelayAddress: undefined, allowsLoopback: false }
const DEMO: AddressPolicy = { ...DIRECT, allowsLoopback: true }
const RELAY: AddressPolicy = {
  isRelayAddress: (address) => address === '192.0.2.9' || address === '2001:db8::9',
  allowsLoopback: false,
}
const ids = { session_id: 1, session_guid: crypto.randomUUID() }

function forwarded(candidate: string, policy = DIRECT, sent = noCandidates()) {
  const signal: Signal = { ...ids, type_signal: 'ice-candidate', data: { candidate, sdpMid: '0' } }
  const passed = filterSignal(signal, policy, sent)
  return (passed?.data as { candidate: string } | undefined)?.candidate
}

function description(lines: string[], policy = DIRECT, sent = noCandidates(), brk = '\r\n') {
  const data = { type: 'offer' as const, sdp: lines.map((line) => line + brk).join('') }
  const passed = filterSignal({ ...ids, type_signal: 'offer', data }, policy, sent)
  return (passed!.data as { sdp: string }).sdp.split('\r\n').slice(0, -1)
}

const host = (address: string, port = 40_000) =>
  `candidate:1 1 udp 2122260223 ${address} ${port} typ host`

test('a candidate of a browser is written again from its parts', () => {
  equal(forwarded(host('203.0.113.7')), host('203.0.113.7'))
  equal(
    forwarded(
      'candidate:842163049 1 udp 1677729535 203.0.113.7 46154 typ srflx raddr 10.0.0.17 rport 46154 generation 0 ufrag EsAw network-id 1 network-cost 10',
    ),
    'candidate:842163049 1 udp 1677729535 203.0.113.7 46154 typ srflx raddr 0.0.0.0 rport 9 generation 0 ufrag EsAw network-id 1 network-cost 10',
  )
  equal(
    forwarded(`${host('203.0.113.7')} x-own a generation 0`),
    `${host('203.0.113.7')} generation 0`,
  )
  equal(
    forwarded('candidate:1 1 UDP 1 203.0.113.7 9 typ host'),
    'candidate:1 1 udp 1 203.0.113.7 9 typ host',
  )
  const mdns = host('0c5a2c3e-3d1f-4b65-b0e6-1b6f1e9a7a10.local')
  equal(forwarded(mdns), mdns)
})

test('a candidate without a relay cannot lead the other browser to addresses that no partner has', () => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '169.254.169.254',
    '::ffff:169.254.1.1',
    'fe80::1',
    '0.0.0.0',
    '::',
    '224.0.0.1',
    '255.255.255.255',
    'ff02::1',
    'router.example',
    'localhost',
    'x.local',
    '1.2.3',
    '0x7f000001',
  ])
    equal(forwarded(host(address)), undefined, address)
  equal(forwarded(host('127.0.0.1'), DEMO), host('127.0.0.1'))
  equal(forwarded(host('169.254.169.254'), DEMO), undefined)
})

test('a candidate that is not in its exact form is dropped', () => {
  for (const candidate of [
    'candidate:1 1 tcp 1518280447 203.0.113.7 9 typ host tcptype active',
    'candidate:1 1 udp 1  203.0.113.7 9 typ host',
    `${host('203.0.113.7')}\r\na=${host('203.0.113.8')}`,
    `${host('203.0.113.7')}\n`,
    'candidate:1 1 udp 1\t203.0.113.7 9 typ host',
    'candidate:1 1 udp 4294967296 203.0.113.7 9 typ host',
    'candidate:1 1 udp 1 203.0.113.7 0 typ host',
    'candidate:1 1 udp 1 203.0.113.7 65536 typ host',
    'candidate:1 3 udp 1 203.0.113.7 9 typ host',
    ' candidate:1 1 udp 1 203.0.113.7 9 typ host',
    'candidate:1 1 udp 1 203.0.113.7 9 typ host raddr a  rport b',
    'candidate:1 1 udp 1 203.0.113.7 9 typ new',
    'anything',
  ])
    equal(forwarded(candidate), undefined, JSON.stringify(candidate))
})

test('with a relay only its own addresses pass, without the address behind them', () => {
  const relayed = 'candidate:1 1 udp 1 192.0.2.9 50000 typ relay'
  equal(
    forwarded(`${relayed} raddr 203.0.113.7 rport 40000 generation 0`, RELAY),
    `${relayed} raddr 0.0.0.0 rport 9 generation 0`,
  )
  equal(
    forwarded('candidate:1 1 udp 1 2001:db8::9 50000 typ relay', RELAY),
    'candidate:1 1 udp 1 2001:db8::9 50000 typ relay raddr 0.0.0.0 rport 9',
  )
  for (const candidate of [
    host('192.0.2.9'),
    `${host('192.168.1.10')} x typ relay`,
    'candidate:1 1 udp 1 192.168.1.10 445 typ relay',
    'candidate:1 1 udp 1 192.0.2.9 9 typ srflx',
    'candidate:1 1 udp 1 relay.example 9 typ relay',
    host('0c5a2c3e-3d1f-4b65-b0e6-1b6f1e9a7a10.local'),
  ])
    equal(forwarded(candidate, RELAY), undefined, candidate)
})

test('a side may send 50 different candidates for one connection, those in descriptions counted', () => {
  const sent = noCandidates()
  const lines = description(
    Array.from({ length: 30 }, (_, at) => `a=${host('203.0.113.7', 1000 + at)}`),
    DIRECT,
    sent,
  )
  equal(lines.length, 30)
  const trickled = Array.from({ length: 30 }, (_, at) =>
    forwarded(host('203.0.113.8', 1000 + at), DIRECT, sent),
  )
  equal(trickled.filter((line) => line !== undefined).length, limits.candidates - 30)
  ok(
    forwarded(host('203.0.113.7', 1000), DIRECT, sent),
    'a repeated candidate is not counted again',
  )
  equal(description(lines, DIRECT, sent).length, 30)
})

test('a side may send 200 candidates for one connection, repeated ones counted', () => {
  const sent = noCandidates()
  const repeated = (priority: number) => host('203.0.113.7').replace('2122260223', `${priority}`)
  const passed = Array.from({ length: 150 }, (_, at) => forwarded(repeated(at), DIRECT, sent))
  ok(passed.every((line) => line !== undefined))
  const lines = Array.from({ length: 100 }, (_, at) => `a=${repeated(at)}`)
  equal(description(lines, DIRECT, sent).length, limits.forwarded_candidates - 150)
  equal(forwarded(host('203.0.113.7'), DIRECT, sent), undefined)
})

test('a description loses addresses outside of candidates and lines that are no lines', () => {
  deepEqual(
    description([
      'v=0',
      'o=- 123 2 IN IP4 203.0.113.7',
      's=-',
      'c=IN IP6 2001:db8::7',
      'c=IN IP4\t203.0.113.7',
      'a=rtcp:40000 IN IP4 203.0.113.7',
      'a=remote-candidates:1 203.0.113.7 40000',
      'a=ice-ufrag:EsAw',
      'a=candidate',
      `a=${host('192.168.1.10')}`,
      `a=${host('127.0.0.1')}`,
      `A=${host('192.168.1.11')}`,
      ` a=${host('192.168.1.11')}`,
      `a=CANDIDATE:1 1 udp 1 127.0.0.1 9 typ host`,
      `a=mid:0\ra=${host('127.0.0.1')}`,
      `a=mid:1\u2028a=${host('127.0.0.1')}`,
      'a=end-of-candidates',
      '',
    ]),
    [
      'v=0',
      'o=- 123 2 IN IP4 0.0.0.0',
      's=-',
      'c=IN IP4 0.0.0.0',
      'a=rtcp:40000 IN IP4 0.0.0.0',
      'a=ice-ufrag:EsAw',
      `a=${host('192.168.1.10')}`,
      'a=mid:0',
      'a=end-of-candidates',
    ],
  )
  deepEqual(description(['v=0', `a=${host('203.0.113.7')}`], DIRECT, noCandidates(), '\n'), [
    'v=0',
    `a=${host('203.0.113.7')}`,
  ])
})

test('with a relay, no description contains an address of the page', () => {
  const relayed = 'candidate:1 1 udp 1 192.0.2.9 3478 typ relay'
  deepEqual(
    description(
      [
        'v=0',
        'c=IN IP6 2001:db8::7',
        'a=rtcp:40000 IN IP4 203.0.113.7',
        `a=${host('203.0.113.7')}`,
        `a=${relayed} raddr 203.0.113.7 rport 40000`,
      ],
      RELAY,
    ),
    [
      'v=0',
      'c=IN IP4 0.0.0.0',
      'a=rtcp:40000 IN IP4 0.0.0.0',
      `a=${relayed} raddr 0.0.0.0 rport 9`,
    ],
  )
})

test('the end of the candidates is forwarded', () => {
  for (const data of [null, { candidate: '' }]) {
    const signal: Signal = { ...ids, type_signal: 'ice-candidate', data }
    deepEqual(filterSignal(signal, RELAY, noCandidates()), signal)
  }
})

test('an address that wraps another one and a deprecated one never pass directly', () => {
  const policy = DEMO
  const wrapped = ['64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe', '::127.0.0.1', '2002:7f00:1::']
  for (const address of [...wrapped, 'fec0::1', '198.18.0.1'])
    equal(
      permittedCandidate(`candidate:1 1 udp 1 ${address} 5000 typ host`, policy),
      undefined,
      address,
    )
  ok(permittedCandidate('candidate:1 1 udp 1 ::1 5000 typ host', policy))
})
