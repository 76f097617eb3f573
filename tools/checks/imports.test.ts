import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { findImports } from '../source/module-graph.ts'
import { importComplaints } from './imports.ts'

const SERVER = 'apps/server/src'
const MODULES = `${SERVER}/modules`

const WORKSPACES: [string, string][] = ['protocol', 'ui'].map((name) => [
  `packages/${name}/package.json`,
  JSON.stringify({ name: `@duet/${name}` }),
])

function complaintsAbout(path: string, ...lines: string[]): string[] {
  return importComplaints(new Map([...WORKSPACES, [path, lines.join('\n')]]))
}

function refuses(path: string, line: string, because: RegExp): void {
  const complaints = complaintsAbout(path, line)
  equal(complaints.length, 1, `${path} may say ${line}`)
  match(complaints[0] ?? '', because)
}

function allows(path: string, ...lines: string[]): void {
  deepEqual(complaintsAbout(path, ...lines), [])
}

test('the protocol imports zod and itself', () => {
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

test('a browser may not import the reference pages of the protocol', () => {
  const openApi = `import { openApi } from '@duet/protocol/reference/generate.ts'`
  allows(`${SERVER}/platform/http/reference.ts`, openApi)
  refuses('apps/web/src/app/router.tsx', openApi, /app may not import reference/)
  refuses(
    'packages/protocol/src/index.ts',
    `export { openApi } from './reference/openapi.ts'`,
    /protocol may not import reference/,
  )
})

test('only the ui package imports the component library', () => {
  allows('packages/ui/src/dialog.tsx', `import { Dialog } from '@base-ui/react/dialog'`)
  refuses(
    'apps/web/src/features/calls/offer.tsx',
    `import { Dialog } from '@base-ui/react/dialog'`,
    /belongs to ui/,
  )
})

test('the server library depends on nothing but the contract', () => {
  allows(`${SERVER}/lib/cipher.ts`, `import { createCipheriv } from 'node:crypto'`)
  refuses(
    `${SERVER}/lib/clock.ts`,
    `import { transact } from '../platform/database/transact.ts'`,
    /lib may not import platform/,
  )
})

test('the platform may not import modules', () => {
  allows(
    `${SERVER}/platform/http/serve.ts`,
    `import Fastify from 'fastify'`,
    `import { refuse } from '../../lib/refusal.ts'`,
  )
  refuses(
    `${SERVER}/platform/http/serve.ts`,
    `import { ledger } from '../../modules/ledger/index.ts'`,
    /platform may not import modules/,
  )
})

test('only integrations import vendors', () => {
  allows(`${SERVER}/integrations/storage/local.ts`, `import sharp from 'sharp'`)
  refuses(
    `${MODULES}/profile/set-avatar.ts`,
    `import sharp from 'sharp'`,
    /belongs to integrations/,
  )
  refuses(`${MODULES}/identity/login.ts`, `import pg from 'pg'`, /belongs to platform/)
})

test('a module imports modules before it, through their index', () => {
  allows(`${MODULES}/calls/spend.ts`, `import { hold } from '../ledger/index.ts'`)
  refuses(
    `${MODULES}/calls/spend.ts`,
    `import { hold } from '../ledger/store.ts'`,
    /through its index/,
  )
  refuses(
    `${MODULES}/ledger/store.ts`,
    `import { calls } from '../calls/index.ts'`,
    /ledger stands before calls/,
  )
  refuses(
    `${MODULES}/horoscopes/store.ts`,
    `import { hold } from '../ledger/index.ts'`,
    /no place in the order/,
  )
})

test('a type of a later module is still a dependence on it', () => {
  refuses(
    `${MODULES}/ledger/store.ts`,
    `import type { Call } from '../calls/index.ts'`,
    /ledger stands before calls/,
  )
})

test('rules are pure', () => {
  refuses(`${MODULES}/calls/rules.ts`, `import { insert } from './store.ts'`, /rules are pure/)
})

test('every file of the server may name the types of the core, only the root creates the app', () => {
  allows(`${SERVER}/lib/paging/pagination.ts`, `import type { App } from '../core/app.ts'`)
  allows(`${MODULES}/calls/join.ts`, `import type { Config } from '../../config.ts'`)
  refuses(
    `${MODULES}/calls/join.ts`,
    `import { createApp } from '../../create-app.ts'`,
    /modules may not import server/,
  )
  allows(
    `${SERVER}/serve.ts`,
    `import { createApp } from './create-app.ts'`,
    `import { calls } from './modules/calls/index.ts'`,
  )
  refuses(`${SERVER}/serve.ts`, `import { insert } from './modules/calls/store.ts'`, /index/)
})

test('features of the web import shared code and never each other', () => {
  allows(
    'apps/web/src/features/calls/call.tsx',
    `import { t } from '../../shared/i18n.ts'`,
    `import { Meter } from './meter.tsx'`,
  )
  allows('apps/web/src/app/router.tsx', `import { Call } from '../features/calls/call.tsx'`)
  refuses(
    'apps/web/src/features/calls/call.tsx',
    `import { Heart } from '../favourites/heart.tsx'`,
    /features never import each other/,
  )
  refuses(
    'apps/web/src/features/calls/call.tsx',
    `import { go } from '../../app/router.tsx'`,
    /features may not import app/,
  )
})

test('the application loads pages for developers lazily', () => {
  allows('apps/web/src/app/routes.tsx', `const load = () => import('../../dev/call-page.tsx')`)
  refuses(
    'apps/web/src/app/routes.tsx',
    `import { CallPage } from '../../dev/call-page.tsx'`,
    /app may not import dev/,
  )
  refuses(
    'apps/web/src/features/calls/call.tsx',
    `import { Gallery } from '@duet/ui/gallery'`,
    /features may not import gallery/,
  )
})

test('the call engine does not import React', () => {
  allows('packages/call-engine/src/link.ts', `import type { SignalEvent } from '@duet/protocol'`)
  refuses(
    'packages/call-engine/src/link.ts',
    `import { useState } from 'react'`,
    /call-engine may not import the package react/,
  )
  refuses(
    'packages/call-engine/src/link.ts',
    `import { Button } from '@duet/ui'`,
    /call-engine may not import ui/,
  )
})

test('code of the browser may not import modules of Node', () => {
  refuses('apps/web/src/app/router.tsx', `import { join } from 'node:path'`, /browser/)
})

test('the product may not import tests', () => {
  refuses(`${SERVER}/serve.ts`, `import { cast } from '../test/cast.ts'`, /no product code/)
})

test('tests may import everything', () => {
  allows(`${MODULES}/ledger/ledger.test.ts`, `import { calls } from '../calls/store.ts'`)
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
  const found = findImports('x.ts', text).map(
    ({ specifier, isType }) => `${specifier}${isType ? ' (type)' : ''}`,
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
  allows(`${SERVER}/modules.ts`, ...mount('settings', 'ledger', 'calls'))
  deepEqual(complaintsAbout(`${SERVER}/modules.ts`, ...mount('settings', 'calls', 'ledger')), [
    'apps/server/src/modules.ts: ledger is not mounted in the order of dependence (MODULES in tools/checks/import-zones.ts)',
  ])
})

test('the core names types of integrations and nothing of the platform', () => {
  const app = `${SERVER}/core/app.ts`
  allows(app, `import type { Integrations } from '../integrations/integrations.ts'`)
  refuses(
    app,
    `import type { Dispatcher } from '../platform/dispatch/dispatcher.ts'`,
    /core may not import platform/,
  )
  refuses(
    app,
    `import { isStorageKey } from '../integrations/storage/storage.ts'`,
    /core may not import integrations/,
  )
})
