import { deepEqual, equal } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createHeaderCountry } from './header-country.ts'
import { createTableCountry } from './table-country.ts'

const NOT_PUBLIC = [
  '127.0.0.1',
  '10.1.2.3',
  '172.20.0.1',
  '192.168.1.1',
  '169.254.1.1',
  '100.64.0.1',
  '0.0.0.0',
  '::1',
  'fd00::1',
  'fe80::1',
  '::ffff:127.0.0.1',
  'unknown',
  '',
]

function fail(error: unknown): never {
  throw error
}

test('the shipped table knows the country of addresses in IPv4 and IPv6', () => {
  const { findCountry } = createTableCountry(undefined, fail)
  for (const [address, country] of [
    ['91.10.1.1', 'DE'],
    ['90.0.0.1', 'FR'],
    ['81.2.69.142', 'GB'],
    ['2003::1', 'DE'],
    ['2a01:cb00::1', 'FR'],
  ] as const)
    equal(findCountry({ address, proxied_headers: undefined }), country, address)
})

test('an address that is not public has no country, whatever the table or the header says', () => {
  const table = createTableCountry(undefined, fail)
  const header = createHeaderCountry('CF-IPCountry')
  for (const address of NOT_PUBLIC) {
    equal(table.findCountry({ address, proxied_headers: undefined }), null, address)
    equal(header.findCountry({ address, proxied_headers: { 'cf-ipcountry': 'DE' } }), null, address)
  }
})

test('with a table, headers are not read', () => {
  const { findCountry } = createTableCountry(undefined, fail)
  equal(findCountry({ address: '91.10.1.1', proxied_headers: { 'cf-ipcountry': 'FR' } }), 'DE')
})

test('a header is one code of a country, or the country is unknown', () => {
  const { findCountry } = createHeaderCountry('CF-IPCountry')
  const countries = (
    ['DE', 'de', ' DE ', 'T1', 'XX', 'EU', 'DEU', '', 'FR, DE', 'DE;q=1', undefined] as const
  ).map((code) =>
    findCountry({
      address: '90.0.0.1',
      proxied_headers: code === undefined ? {} : { 'cf-ipcountry': code },
    }),
  )
  deepEqual(countries, ['DE', 'DE', 'DE', null, null, null, null, null, null, null, null])
  equal(
    findCountry({ address: '90.0.0.1', proxied_headers: { 'cf-ipcountry': ['FR', 'DE'] } }),
    null,
  )
  equal(
    findCountry({ address: '90.0.0.1', proxied_headers: undefined }),
    null,
    'no table beside it',
  )
})

test('a table that cannot be read is reported once, and every country is unknown', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duet-country-'))
  try {
    const file = join(folder, 'broken.mmdb')
    writeFileSync(file, 'not a table')
    const errors: unknown[] = []
    const { findCountry } = createTableCountry(file, (error) => errors.push(error))
    equal(errors.length, 0, 'it is read when an address is looked up')
    for (const address of ['91.10.1.1', '90.0.0.1'])
      equal(findCountry({ address, proxied_headers: undefined }), null)
    equal(errors.length, 1)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
