import { expect, expectTypeOf, test } from 'vitest'
import { events, wire } from '@duet/protocol'
import type { presence } from '../features/presence/feature.ts'
import type { Feature, FeatureListProblem } from '../shared/feature.ts'
import { routeEvents } from './bootstrap.ts'
import { features } from './features.ts'

test('no two features handle the same event, and every handled event exists', () => {
  const handled = features.flatMap(({ events: handlers = {}, reducedModules = [] }) => {
    const reduced = reducedModules.flatMap((module) => Object.keys(wire[module].events))
    return [...new Set([...Object.keys(handlers), ...reduced])]
  })
  expect(handled.length).toBe(new Set(handled).size)
  expect(Object.keys(events)).toEqual(expect.arrayContaining(handled))
})

test('a list that lacks an event, or handles one twice, does not compile', () => {
  type Missing = FeatureListProblem<readonly []>
  type Doubled = FeatureListProblem<readonly [typeof presence, typeof presence]>
  type Ignored = FeatureListProblem<readonly [], 'presence'>
  expectTypeOf<'no feature handles online.count'>().toExtend<Missing>()
  expectTypeOf<'two features handle online.count'>().toExtend<Doubled>()
  expectTypeOf<'no feature handles online.count'>().not.toExtend<Ignored>()
})

test('an event reaches its handler with the context', () => {
  const received: unknown[] = []
  const feature: Feature = {
    events: { unbanned: (payload, context) => received.push(payload, context) },
  }
  const listeners = new Map<string, (payload: unknown) => void>()
  const connection = {
    on: (name: string, listen: never) => (listeners.set(name, listen), () => {}),
  }
  const context = { queries: {} } as never
  routeEvents(connection as never, [feature], context)
  listeners.get('unbanned')!({})
  expect(received).toEqual([{}, context])
})
