import { assert } from '../lib/assert.ts'
import type { AppContext } from './app.ts'

/** A part that one module reads and a single later module provides. */
export interface Port<T> {
  /** The part that a mounted module provides; the default of the port where no mounted module does. */
  get(app: AppContext): T
  /** An entry of the list `provides` of a module. */
  provide(part: T): ProvidedPort
}

/** Connects the port in one app. */
export type ProvidedPort = (app: AppContext) => void

/** `fallback`: the part in an app that mounts no provider. */
export function createPort<T>(name: string, fallback: T): Port<T> {
  const parts = new WeakMap<AppContext, T>()
  return {
    get: (app) => (parts.has(app) ? parts.get(app)! : fallback),
    provide: (part) => (app) => {
      assert(!parts.has(app), `one module provides ${name}`)
      parts.set(app, part)
    },
  }
}
