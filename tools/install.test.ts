import { equal } from 'node:assert/strict'
import { test } from 'node:test'
import { installedMatches } from './install.mjs'

const lock = {
  packages: {
    '': { version: '0.1.0' },
    'packages/ui': { version: '0.1.0' },
    'node_modules/@duet/ui': { link: true },
    'node_modules/zod': { version: '4.0.0' },
    'node_modules/zod-win32': { version: '4.0.0', optional: true, os: ['win32'] },
  },
}
const installed = {
  packages: { 'node_modules/@duet/ui': { link: true }, 'node_modules/zod': { version: '4.0.0' } },
}

test('an installation without the packages of other systems is complete', () => {
  equal(installedMatches(lock, installed), true)
})

test('a package that is missing or of another version asks for an installation', () => {
  equal(installedMatches(lock, { packages: { 'node_modules/@duet/ui': { link: true } } }), false)
  equal(
    installedMatches(lock, {
      packages: { ...installed.packages, 'node_modules/zod': { version: '3.9.9' } },
    }),
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
