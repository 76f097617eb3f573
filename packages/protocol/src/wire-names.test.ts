import { deepEqual, ok } from 'node:assert/strict'
import { test } from 'node:test'
import names from '../wire-names.json' with { type: 'json' }
import type { Action } from './kernel/contract.ts'
import {
  actions,
  endpoints,
  ErrorPayload,
  events,
  Failure,
  refusals,
  signalHeard,
  signalSent,
} from './index.ts'

const sorted = (list: Iterable<string>) => [...list].toSorted()

test('every endpoint of wire-names.json has a contract, and no other endpoint has one', () => {
  const inFamily = (name: string) => names.families.some((family) => name.includes(` ${family}`))
  const own = Object.keys(endpoints).filter((name) => names.calls.includes(name) || !inFamily(name))
  deepEqual(sorted(own), sorted(names.calls))
  for (const family of names.families)
    ok(
      Object.keys(endpoints).some((name) => name.includes(` ${family}`)),
      family,
    )
})

test('every action has a contract under both its names, and no other action has one', () => {
  const contracts = Object.entries<Action>(actions).map(([name, { method, aliases = [] }]) => [
    name,
    [method, ...aliases],
  ])
  deepEqual(
    Object.fromEntries(contracts.toSorted()),
    Object.fromEntries(Object.entries(names.actions).toSorted()),
  )
})

test('every event has a contract, and no other event has one', () => {
  deepEqual(sorted(Object.keys(events)), sorted(names.events))
})

test('every event of the signaling socket has a contract, and no other has one', () => {
  deepEqual(sorted(Object.keys(signalSent)), sorted(names.signal.sent))
  deepEqual(sorted(Object.keys(signalHeard)), sorted(names.signal.heard))
})

test('a failure carries its name beside its code, and an error event its action and call besides', () => {
  deepEqual(Object.keys(Failure.shape), names.failure)
  deepEqual(
    sorted(Object.keys(ErrorPayload.shape)),
    sorted([...names.failure, 'action', 'session_id']),
  )
})

test('every error code has a refusal, and no refusal has another code', () => {
  const codes = new Set(Object.values(refusals).map(({ code }) => String(code)))
  deepEqual(sorted(codes), sorted(names.errors.map(String)))
})
