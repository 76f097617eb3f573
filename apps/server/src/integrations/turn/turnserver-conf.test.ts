import { deepEqual, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { isIPv4 } from 'node:net'
import { test } from 'node:test'

const CONF = readFileSync(new URL('../../../../../deploy/turnserver.conf', import.meta.url), 'utf8')

/** Every kind of address that is special or contains an IPv4 address, at both ends of its range. */
const SPECIAL = `
  0.0.0.0 0.255.255.255 10.0.0.0 10.1.2.3 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255
  169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.1 192.88.99.1
  192.168.0.0 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1
  255.255.255.255 ::1 ::7f00:1 ::a01:203 ::ffff:0:0 ::ffff:7f00:1 ::ffff:a01:203 ::ffff:a9fe:a9fe ::ffff:c0a8:1
  ::ffff:ffff:ffff ::ffff:0:0:0 ::ffff:0:7f00:1 ::ffff:0:ffff:ffff 64:ff9b::a01:203 64:ff9b::ffff:ffff 64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff 100::1 2001::1
  2001:0:ffff:ffff:ffff:ffff:ffff:ffff 2001:db8::1 2002:: 2002:a01:203::1 2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff
  fc00::1 fd00::1 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff fe80::1 febf::1 fec0::1 feff::1 ff02::1
`
const PUBLIC =
  '1.1.1.1 9.9.9.9 100.63.255.255 100.128.0.0 172.15.255.255 172.32.0.0 2606:4700::1 2a00::1'

test('the configuration of the relay denies every special address as a peer, and no public one', () => {
  const ranges = [...CONF.matchAll(/^denied-peer-ip=(\S+?)(?:-(\S+))?$/gm)].map(
    ([, first, last = first]) => [toNumber(first!), toNumber(last!)] as const,
  )
  const isDenied = (address: string) => {
    const [family, value] = toNumber(address)
    return ranges.some(
      ([first, last]) => first[0] === family && first[1] <= value && value <= last[1],
    )
  }
  ok(ranges.length > 0)
  // coturn takes a range that begins with :: for one that begins below every address, also below those of IPv4.
  deepEqual(
    ranges.filter(([[family, value]]) => family === 6 && value === 0n),
    [],
  )
  deepEqual(
    SPECIAL.trim()
      .split(/\s+/)
      .filter((address) => !isDenied(address)),
    [],
  )
  deepEqual(PUBLIC.split(' ').filter(isDenied), [])
})

/** The address as a number of its family. An IPv4-mapped address is not unwrapped: older versions of coturn do not either. */
function toNumber(address: string): [family: 4 | 6, value: bigint] {
  if (isIPv4(address))
    return [4, address.split('.').reduce((value, part) => value * 256n + BigInt(part), 0n)]
  const hex = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  const [head = '', tail] = hex.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0')
  return [
    6,
    [...left, ...zeros, ...right].reduce(
      (value, part) => value * 65_536n + BigInt(`0x${part}`),
      0n,
    ),
  ]
}
