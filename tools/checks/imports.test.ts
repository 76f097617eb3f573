import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { importComplaints, importsOf } from './imports.ts'

const SERVER = 'apps/server/src'
const MODULES = `${SERVER}/modules`

/** One file with these imports, and whether the house allows them. */
function judge(path: string, ...lines: string[]): string[] {
  return importComplaints(new Map([[path, lines.join('\n')]]))
}

function refuses(path: string, line: string, because: RegExp): void {
  const complaints = judge(path, line)
  equal(complaints.length, 1, `${path} may say ${line}`)
  match(complaints[0] ?? '', because)
}

function allows(path: string, ...lines: string[]): void {
  deepEqual(judge(path, ...lines), [])
}

test('the protocol knows zod and itself', () => {
  allows(
    'packages/protocol/src/contracts/calls.ts',
    `import { z } from 'zod'`,
    `import { Id } from './primitives.ts'`,
  )
  refuses(
    'packages/protocol/src/contracts/calls.ts',
    `import { readFileSync } from 'node:fs'`,
    /browser/,
  )
  refuses('packages/protocol/src/contracts/calls.ts', `import pino from 'pino'`, /pino/)
})

test('the headless library belongs to the ui package', () => {
  allows('packages/ui/src/dialog.tsx', `import { Dialog } from '@base-ui/react/dialog'`)
  refuses(
    'apps/web/src/features/video/offer.tsx',
    `import { Dialog } from '@base-ui/react/dialog'`,
    /belongs to ui/,
  )
})

test('the server library depends on nothing but the contract', () => {
  allows(`${SERVER}/lib/cipher.ts`, `import { createCipheriv } from 'node:crypto'`)
  refuses(
    `${SERVER}/lib/clock.ts`,
    `import { transact } from '../platform/db/transact.ts'`,
    /lib may not import platform/,
  )
})

test('the platform knows no module', () => {
  allows(
    `${SERVER}/platform/http/serve.ts`,
    `import Fastify from 'fastify'`,
    `import { refuse } from '../../lib/refusal.ts'`,
  )
  refuses(
    `${SERVER}/platform/http/serve.ts`,
    `import { wallet } from '../../modules/wallet/index.ts'`,
    /platform may not import modules/,
  )
})

test('a vendor is met in the integrations and nowhere else', () => {
  allows(`${SERVER}/integrations/storage/local.ts`, `import sharp from 'sharp'`)
  refuses(
    `${MODULES}/profile/set-avatar.ts`,
    `import sharp from 'sharp'`,
    /belongs to integrations/,
  )
  refuses(`${MODULES}/identity/login.ts`, `import pg from 'pg'`, /belongs to platform/)
})

test('a module uses those before it, through their index', () => {
  allows(`${MODULES}/video/spend.ts`, `import { hold } from '../wallet/index.ts'`)
  refuses(
    `${MODULES}/video/spend.ts`,
    `import { hold } from '../wallet/store.ts'`,
    /through its index/,
  )
  refuses(
    `${MODULES}/wallet/store.ts`,
    `import { calls } from '../video/index.ts'`,
    /wallet stands before video/,
  )
  refuses(
    `${MODULES}/horoscopes/store.ts`,
    `import { hold } from '../wallet/index.ts'`,
    /no place in the order/,
  )
})

test('a type of a later module is still a dependence on it', () => {
  refuses(
    `${MODULES}/wallet/store.ts`,
    `import type { Call } from '../video/index.ts'`,
    /wallet stands before video/,
  )
})

test('only the index knows the edges of its module', () => {
  allows(
    `${MODULES}/video/index.ts`,
    `import { actions } from './socket.ts'`,
    `import { endpoints } from './http.ts'`,
  )
  refuses(`${MODULES}/video/break.ts`, `import { actions } from './socket.ts'`, /edge/)
})

test('an edge speaks to commands and queries, not to what is behind them', () => {
  allows(
    `${MODULES}/video/socket.ts`,
    `import { join } from './join.ts'`,
    `import { calls } from './queries.ts'`,
  )
  refuses(`${MODULES}/video/socket.ts`, `import { insert } from './store.ts'`, /not to store/)
})

test('rules are pure', () => {
  refuses(`${MODULES}/video/rules.ts`, `import { insert } from './store.ts'`, /rules are pure/)
})

test('everybody on the server may name the context, only the root may build it', () => {
  allows(`${SERVER}/lib/page.ts`, `import type { App } from '../app.ts'`)
  allows(`${MODULES}/video/join.ts`, `import type { App } from '../../app.ts'`)
  refuses(
    `${MODULES}/video/join.ts`,
    `import { makeApp } from '../../context.ts'`,
    /modules may not import context/,
  )
  allows(
    `${SERVER}/app.ts`,
    `import { makeApp } from './context.ts'`,
    `import { video } from './modules/video/index.ts'`,
  )
  refuses(`${SERVER}/app.ts`, `import { insert } from './modules/video/store.ts'`, /index/)
})

test('features of the web meet in the app and never each other', () => {
  allows(
    'apps/web/src/features/video/call.tsx',
    `import { t } from '../../i18n.ts'`,
    `import { Meter } from './meter.tsx'`,
  )
  allows('apps/web/src/app/router.tsx', `import { Call } from '../features/video/call.tsx'`)
  refuses(
    'apps/web/src/features/video/call.tsx',
    `import { Heart } from '../favourites/heart.tsx'`,
    /features never import each other/,
  )
  refuses(
    'apps/web/src/features/video/call.tsx',
    `import { go } from '../../app/router.tsx'`,
    /features may not import app/,
  )
})

test('the call engine does not import React', () => {
  allows('packages/call-engine/src/link.ts', `import type { SignalEvent } from '@duet/protocol'`)
  refuses(
    'packages/call-engine/src/link.ts',
    `import { useState } from 'react'`,
    /call_engine may not import the package react/,
  )
  refuses(
    'packages/call-engine/src/link.ts',
    `import { Button } from '@duet/ui'`,
    /call_engine may not import ui/,
  )
})

test('the browser has no Node', () => {
  refuses('apps/web/src/app/router.tsx', `import { join } from 'node:path'`, /browser/)
})

test('the product does not lean on its tests', () => {
  refuses(`${SERVER}/app.ts`, `import { cast } from '../test/cast.ts'`, /no product code/)
})

test('tests reach wherever they must', () => {
  allows(`${MODULES}/wallet/wallet.test.ts`, `import { calls } from '../video/store.ts'`)
  allows('tests/laws/books.test.ts', `import { hold } from '@duet/server/modules/ledger/store.ts'`)
})

test('imports are found in every form, and not in strings', () => {
  const text = [
    `import a from 'one'`,
    `import type { B } from 'two'`,
    `import {\n  c,\n  type D,\n} from 'three'`,
    `import 'four'`,
    `export { e } from 'five'`,
    `export type { F } from 'six'`,
    `const g = await import('seven')`,
    `const says = "it came from 'eight'"`,
    `import type from 'nine'`,
  ].join('\n')
  const found = importsOf('x.ts', text).map(
    ({ specifier, type_only }) => `${specifier}${type_only ? ' (type)' : ''}`,
  )
  deepEqual(found.sort(), [
    'five',
    'four',
    'nine',
    'one',
    'seven',
    'six (type)',
    'three',
    'two (type)',
  ])
})

test('modules are mounted in the order of dependence', () => {
  const mount = (...names: string[]) => [
    ...names.map((name) => `import { ${name} } from './modules/${name}/index.ts'`),
    `export const modules: readonly Module[] = [${names.join(', ')}, systemModule]`,
  ]
  allows(`${SERVER}/modules.ts`, ...mount('settings', 'wallet', 'video'))
  deepEqual(judge(`${SERVER}/modules.ts`, ...mount('settings', 'video', 'wallet')), [
    'apps/server/src/modules.ts: wallet is not mounted in the order of dependence (MODULES in tools/checks/imports.ts)',
  ])
})
