import type { z } from 'zod'
import type {
  Ack,
  ActionName,
  Actions,
  Answer,
  Body,
  EndpointName,
  Endpoints,
  EventName,
  Input,
  ModuleName,
  Payload,
  Query,
  User,
  UserInterlocutor,
  Wire,
} from '@duet/protocol'
import type { signalSent, SignalSentName } from '@duet/protocol/contracts/signaling.ts'
import type { System as SystemSchema } from '@duet/protocol/contracts/system.ts'
import type { App } from './app.ts'
import type { UserId } from './ids.ts'
import type { RequestContext } from './request-context.ts'
import type { Db, Tx } from './tx.ts'
import type { Guest, Member, Viewer, Visitor } from './viewer.ts'
import type { DomainEventName, DomainEvents } from './domain-events.ts'
import type { RawResponse } from '../platform/http/raw-response.ts'
import type { Job } from '../platform/jobs/jobs.ts'
import type { SocketIdentity } from '../platform/realtime/connection.ts'

type System = z.input<typeof SystemSchema>

/** The weakest viewer that passes a contract's `who`: what the handler may rely on. */
type ViewerFor<W> = 'any' extends W ? Viewer : 'guest' extends W ? Guest | Member : Member
type WhoOf<C> = C extends { who: infer W } ? (W extends readonly (infer One)[] ? One : W) : never
export type { Visitor }

export type ActionHandler<A extends ActionName> = (
  app: App,
  viewer: ViewerFor<WhoOf<Actions[A]>>,
  input: Input<A>,
  context: RequestContext,
) => Promise<Ack<A>>

export type EndpointHandler<E extends EndpointName> = (
  app: App,
  viewer: ViewerFor<WhoOf<Endpoints[E]>>,
  input: Query<E> & Body<E>,
  context: RequestContext,
) => Promise<Answer<E> | RawResponse>

/** Complete lists: a module that forgets an action of its protocol file does not compile. */
export type ActionsOf<M extends ModuleName> = {
  [A in keyof Wire[M]['actions'] & ActionName]: ActionHandler<A>
}
export type EndpointsOf<M extends ModuleName> = {
  [E in keyof Wire[M]['endpoints'] & EndpointName]: EndpointHandler<E>
}

/** Signals have no acknowledgement; a refusal becomes `error_{code}`. AUTH is the platform's own. */
export type SignalHandler<S extends SignalSentName> = (
  app: App,
  viewer: Guest | Member,
  input: z.output<(typeof signalSent)[S]['payload']>,
  context: RequestContext,
) => Promise<void>
export type SignalsOf = { readonly [S in Exclude<SignalSentName, 'AUTH'>]?: SignalHandler<S> }

/** What a caller's token or open socket stands for at this moment. One module provides it: identity. */
export interface IdentityProvider {
  /** Whom a Chat-Token stands for; undefined: nobody any more (102). */
  byToken(app: App, token: string): Promise<Viewer | undefined>
  /** The same for an open socket, asked before each of its actions; undefined: its login has ended (102). */
  bySocket(app: App, identity: SocketIdentity): Promise<Viewer | undefined>
  /** Who may open `/signal` by this token. */
  byOrtcToken(
    app: App,
    ortc_token: string,
  ): Promise<{ user_id: UserId; login_id: number | null } | undefined>
  /** Whose the storage's User-Access-Token is. */
  byFsToken?(app: App, fs_token: string): Promise<Viewer | undefined>
  /** `additional` of 500. */
  moderationInfo?(app: App, viewer: Viewer): Promise<Record<string, unknown>>
}

/** A command of the operator's shell. */
export interface OperatorCommand {
  /** What follows the name, as the help prints it: `ID AMOUNT diamond|message|coin --reason TEXT`. */
  readonly args: string
  readonly summary: string
  /** Answers what is printed as JSON; a thrown `CommandRefused` or Refusal is one sentence and exit code 1. */
  readonly run: (app: App, given: CommandArguments) => Promise<unknown>
}

/** `--verified` is `true`, `--nick N` is `N`; the rest stands in `words`, the command's own words left out. */
export interface CommandArguments {
  readonly words: readonly string[]
  readonly options: Readonly<Record<string, string | true>>
  /** Where the operator stands: relative files are meant from there. */
  readonly cwd: string
}

export interface ModuleParts<M extends ModuleName> {
  readonly actions?: Partial<ActionsOf<M>>
  readonly endpoints?: Partial<EndpointsOf<M>>
  readonly signals?: SignalsOf
  readonly identityProvider?: IdentityProvider
  /** Writes a row of the change log and answers its number: the changes module alone. */
  readonly appendChange?: (
    tx: Tx,
    user_id: UserId,
    event: string,
    payload: object,
  ) => Promise<number>
  /** Fields that this module adds to `GET system`. */
  readonly systemFields?: (app: App, viewer: Viewer) => Promise<Partial<System>>
  /** Commands of the operator's shell by name: `'user add'`. */
  readonly commands?: Readonly<Record<string, OperatorCommand>>
  /** Jobs of this module by name. */
  readonly jobs?: Readonly<Record<string, Job>>
  /** What this module does when it hears a fact, inside the transaction of the fact. */
  readonly subscribers?: {
    readonly [F in DomainEventName]?: (tx: Tx, said: DomainEvents[F]) => Promise<void>
  }
  /** Fields that this module adds to auth_success. */
  readonly authFields?: (
    db: Db,
    viewer: Guest | Member,
    app: App,
  ) => Promise<Record<string, unknown>>
  /** Fields that this module adds to the own user record (`balance`, `avatar`, …). */
  readonly ownFields?: (db: Db, user_id: UserId, app: App) => Promise<Partial<User>>
  /** Fields that this module adds to how others see people (`avatar`, `is_favorite`, `status`, …), for many at once. */
  readonly publicFields?: (
    db: Db,
    viewer_id: UserId | null,
    ids: readonly UserId[],
    app: App,
  ) => Promise<ReadonlyMap<UserId, Partial<UserInterlocutor>>>
  /** Which of these people the viewer may not see: they are offline to him, and nowhere in his lists. */
  readonly hiddenUsers?: (
    db: Db,
    viewer_id: UserId | null,
    ids: readonly UserId[],
  ) => Promise<ReadonlySet<UserId>>
  /** The same seen from the other side, for news of many at once: who may not see each of these people. */
  readonly hiddenFrom?: (
    db: Db,
    ids: readonly UserId[],
  ) => Promise<ReadonlyMap<UserId, ReadonlySet<UserId>>>
  /** How a change-log row of an event is shown to its reader now; without one the stored payload is shown. */
  readonly renderChange?: {
    readonly [E in EventName]?: (
      db: Db,
      viewer_id: UserId,
      stored: Payload<E>,
      app: App,
    ) => Promise<Payload<E>>
  }
  /** Work of the outbox by kind. */
  readonly outboxHandlers?: Record<string, (app: App, payload: never) => Promise<void>>
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
