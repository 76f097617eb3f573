import type { Ack, ActionName, Actions, Answer, Body, EndpointName, EventName, Input, ModuleName, Payload, Query, Wire } from '@duet/protocol'
import type { App, Call, Guest, Member, Reader, Tx, UserId, Viewer, Visitor } from '../context.ts'
import type { FactName, Facts } from '../domain-events.ts'

/** The weakest viewer that passes a contract's `who`: what the handler may rely on. */
type ViewerFor<W> = 'any' extends W ? Viewer : 'guest' extends W ? Guest | Member : Member
type WhoOf<C> = C extends { who: infer W } ? (W extends readonly (infer One)[] ? One : W) : never
export type { Visitor }

export type ActionHandler<A extends ActionName> = (
  app: App,
  viewer: ViewerFor<WhoOf<Actions[A]>>,
  input: Input<A>,
  call: Call,
) => Promise<Ack<A>>

export type EndpointHandler<E extends EndpointName> = (
  app: App,
  viewer: ViewerFor<WhoOf<import('@duet/protocol').Endpoints[E]>>,
  input: Query<E> & Body<E>,
  call: Call,
) => Promise<Answer<E>>

/** Complete lists: a module that forgets an action of its protocol file does not compile. */
export type ActionsOf<M extends ModuleName> = { [A in keyof Wire[M]['actions'] & ActionName]: ActionHandler<A> }
export type EndpointsOf<M extends ModuleName> = { [E in keyof Wire[M]['endpoints'] & EndpointName]: EndpointHandler<E> }

export interface ModuleParts<M extends ModuleName> {
  readonly actions?: Partial<ActionsOf<M>>
  readonly endpoints?: Partial<EndpointsOf<M>>
  /** What this module does when it hears a fact, inside the transaction of the fact. */
  readonly hears?: { readonly [F in FactName]?: (tx: Tx, said: Facts[F]) => Promise<void> }
  /** Fields that this module adds to auth_success. */
  readonly auth?: (reader: Reader, viewer: Guest | Member, app: App) => Promise<Record<string, unknown>>
  /** How a change-log row of an event is shown to its reader now; without one the stored payload is shown. */
  readonly renders?: { readonly [E in EventName]?: (reader: Reader, viewer_id: UserId, stored: Payload<E>) => Promise<Payload<E>> }
  /** Work of the outbox by kind. */
  readonly outbox?: Record<string, (app: App, payload: never) => Promise<void>>
  /** Set up and recovery when the server starts; what it returns runs at the stop. */
  readonly start?: (app: App) => Promise<(() => Promise<void> | void) | void>
}

/** A module as the app mounts it. */
export interface Module extends ModuleParts<never> {
  readonly name: string
}

export function module<M extends ModuleName>(name: M, parts: ModuleParts<M>): Module {
  return Object.freeze({ name, ...parts }) as unknown as Module
}

/** State that lives as long as the app does (a waiting room, a cache): made at first use, one per app, so tests stay apart. */
export function perApp<T>(make: (app: App) => T): (app: App) => T {
  const made = new WeakMap<App, T>()
  return (app) => {
    let state = made.get(app)
    if (state === undefined) made.set(app, (state = make(app)))
    return state
  }
}
