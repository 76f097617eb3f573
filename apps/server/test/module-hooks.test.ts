import { deepEqual, ok, throws } from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { App } from '../src/core/app.ts'
import { createPort } from '../src/core/port.ts'
import { modules } from '../src/modules.ts'

/** The names of the hooks that a module may provide, from the declaration. */
async function declaredHooks(): Promise<string[]> {
  const text = await readFile(new URL('../src/core/module.ts', import.meta.url), 'utf8')
  const parts = /export interface ModuleParts[^{]*\{\n([\s\S]*?)\n\}\n/.exec(text)?.[1] ?? ''
  return [...parts.matchAll(/^ {2}readonly (\w+)\?:/gm)].map((match) => match[1]!)
}

test('every hook is provided by at least two modules, a part of one module is a port', async () => {
  const hooks = await declaredHooks()
  ok(hooks.includes('actions'))
  const lonely = hooks.filter((hook) => modules.filter((module) => hook in module).length < 2)
  deepEqual(lonely, [])
})

test('a port has its default without a provider, the part of its provider, and one provider at most', () => {
  const port = createPort('the answer of a test', 'default')
  const app = {} as App
  deepEqual(port.get(app), 'default')
  port.provide('provided')(app)
  deepEqual(port.get(app), 'provided')
  throws(() => port.provide('another')(app), /one module provides the answer of a test/)
})
