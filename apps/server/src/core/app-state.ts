import { assert } from '../lib/assert.ts'
import type { App, AppContext } from './app.ts'

/** One piece of memory that dies with the server process. */
export interface AppState {
  readonly name: string
  /** The state that is lost when the server process ends, and how the next process rebuilds it. */
  readonly description: string
}

const declared = new Map<string, AppState>()

/**
 * Declares state that lives as long as the app (a cache, a queue). It is created at first use, once for
 * each app, so that tests stay apart. `appStates` lists every declaration: what is lost when the server
 * process ends.
 *
 * `name` is unique, `module: what`. `description` says what is lost and from where it is rebuilt.
 */
export function perApp<T>(
  name: string,
  description: string,
  create: (app: App) => T,
): (app: AppContext) => T {
  assert(!declared.has(name), `one state is named ${name}`)
  declared.set(name, { name, description })
  const states = new WeakMap<AppContext, T>()
  return (app) => {
    let state = states.get(app)
    // The context is the app, seen through a narrower type.
    if (state === undefined) states.set(app, (state = create(app as App)))
    return state
  }
}

/** Everything in memory that the imported modules declared, by name. */
export function appStates(): AppState[] {
  return [...declared.values()].toSorted((one, other) => one.name.localeCompare(other.name))
}
