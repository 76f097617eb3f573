import { deepEqual, ok, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { modules } from '../modules.ts'
import { perApp, appStates } from './app-state.ts'

test('lists every piece of memory that dies with the process, with what is lost', () => {
  ok(modules.length > 0, 'the modules are loaded and have declared their state')
  const states = appStates()
  ok(states.some(({ name }) => name === 'presence: users'))
  for (const { name, description } of states) {
    ok(/^[a-z-]+: \S/.test(name), `${name} names its module and what it is`)
    ok(description.length > 10, `${name} says what is lost`)
  }
  deepEqual(
    states.map(({ name }) => name),
    [...new Set(states.map(({ name }) => name))],
  )
})

test('refuses a second state with the same name', () => {
  perApp('test: once', 'declared by this test alone', () => 0)
  throws(() => perApp('test: once', 'declared by this test alone', () => 0), /Impossible/)
})
