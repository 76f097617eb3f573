import type { Role } from '@duet/protocol/kernel/roles.ts'
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
import type { App, AppContext, AppendedChange, AppendStatement, Tx } from './app.ts'
import type { Db } from './db.ts'
import type { ContactFields, SystemFields } from './hooks.ts'
import type { HiddenFrom, HidingViewer } from './hiding.ts'
import type { UserId } from './ids.ts'
import type { ProvidedPort } from './port.ts'
import type { RequestContext } from './request-context.ts'
import type { StoredChange } from './stored-change.ts'
import type { Guest, Member, Viewer, Visitor } from './viewer.ts'
import type { DomainEventName, DomainEvents } from './domain-events.ts'
import type { RawResponse } from './raw-response.ts'
import type { ExportPart, PersonalTable } from './personal-data.ts'
import type { RetentionRule } from './retention-rule.ts'
import type { Job } from './job.ts'
import type { SocketIdentity } from './realtime.ts'

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

/** The current viewer of a token or an open socket. One module provides it: identity. */
export interface IdentityProvider {
  /** The viewer of a Chat-Token; undefined when the token is no longer valid (102). */
  byToken(app: App, token: string): Promise<Viewer | undefined>
  /** The viewer of an open socket, read before each of its actions; undefined when its login has ended (102). */
  bySocket(app: App, identity: SocketIdentity): Promise<Viewer | undefined>
  /** The user who may open `/signal` with this token. */
  byOrtcToken(
    app: App,
    ortc_token: string,
  ): Promise<{ user_id: UserId; login_id: number | null } | undefined>
  /** The viewer of the storage's User-Access-Token. */
  byFsToken?(app: App, fs_token: string): Promise<Viewer | undefined>
  /** `additional` of 500. */
  moderationInfo?(app: App, viewer: Viewer): Promise<Record<string, unknown>>
}

/** A command of the operator's shell. */
export interface OperatorCommand {
  /** The arguments after the name, as the help prints them: `ID AMOUNT diamond|message|coin --reason TEXT`. */
  readonly args: string
  readonly summary: string
  /** Returns what is printed as JSON; a thrown `CommandRefused` or Refusal is one sentence and exit code 1. */
  readonly run: (app: App, given: CommandArguments) => Promise<unknown>
}

/** `--verified` is `true`, `--nick N` is `N`; `words` has the rest, without the words of the command's name. */
export interface CommandArguments {
  readonly words: readonly string[]
  readonly options: Readonly<Record<string, string | true>>
  /** The operator's working directory; relative file names start there. */
  readonly cwd: string
}

export interface ModuleParts<M extends ModuleName> {
  readonly actions?: Partial<ActionsOf<M>>
  readonly endpoints?: Partial<EndpointsOf<M>>
  readonly signals?: SignalsOf
  readonly identityProvider?: IdentityProvider
  /** The statement that writes rows of the change log; only the change feed has it. */
  readonly appendStatement?: (tx: Tx, changes: readonly AppendedChange[]) => AppendStatement
  /** Fields that this module adds to `GET system`. */
  readonly systemFields?: (
    app: App,
    viewer: Viewer,
    place: Pick<RequestContext, 'country' | 'region'>,
  ) => Promise<Partial<SystemFields>>
  /** Commands of the operator's shell by name: `'user add'`. */
  readonly commands?: Readonly<Record<string, OperatorCommand>>
  /** The report of this module for `duet doctor`. */
  readonly diagnosis?: (app: App) => Promise<object>
  /** Jobs of this module by name. */
  readonly jobs?: Readonly<Record<string, Job>>
  /** Reactions to domain events, inside the transaction that publishes them. */
  readonly subscribers?: {
    readonly [F in DomainEventName]?: (tx: Tx, event: DomainEvents[F]) => Promise<void>
  }
  /** Fields that this module adds to auth_success; runs outside transactions. */
  readonly authFields?: (app: App, viewer: Guest | Member) => Promise<Record<string, unknown>>
  // The hooks below run on the pool or inside a transaction: they read on the `db` they are given and nowhere else,
  // with one query for all ids.
  /** Fields that this module adds to the own user record (`balance`, `avatar`, …). */
  readonly ownFields?: (db: Db, user_id: UserId, context: AppContext) => Promise<Partial<User>>
  /** The likes of a girl, and whether this viewer may write to her; one module has them. */
  readonly contactFields?: (
    app: App,
    viewer: Member | undefined,
    girlId: UserId,
  ) => Promise<ContactFields>
  /** Fields that this module adds to how others see people (`avatar`, `is_favorite`, `status`, …), for many at once. */
  readonly publicFields?: (
    db: Db,
    viewerId: UserId | null,
    ids: readonly UserId[],
    context: AppContext,
  ) => Promise<ReadonlyMap<UserId, Partial<UserInterlocutor>>>
  /**
   * The ids among these that are hidden from the viewer: they are offline to the viewer, and in
   * none of the viewer's lists.
   */
  readonly hiddenUsers?: (
    db: Db,
    viewer: HidingViewer,
    ids: readonly UserId[],
  ) => Promise<ReadonlySet<UserId>>
  /** Those of these uploads that a message in the viewer's own view of a dialog carries; one module has dialogs. */
  readonly mediaOfDialogs?: (
    db: Db,
    viewerId: UserId,
    ids: readonly string[],
    context: AppContext,
  ) => Promise<ReadonlySet<string>>
  /** Users who want to learn that this user comes online: those with ids above `above`, by id, at most `limit`. */
  readonly interestedIn?: (
    db: Db,
    user: { readonly id: UserId; readonly role: Role },
    part: { readonly above: UserId; readonly limit: number },
    context: AppContext,
  ) => Promise<readonly UserId[]>
  /**
   * The reverse of `hiddenUsers`, for status changes of many users at once: for each of them, the
   * viewers who may not see them.
   */
  readonly hiddenFrom?: (
    db: Db,
    ids: readonly UserId[],
  ) => Promise<ReadonlyMap<UserId, Partial<HiddenFrom>>>
  /** How a row of the change log is shown to its recipient now; without one, the stored payload is shown. */
  readonly renderChange?: {
    readonly [E in EventName]?: (
      db: Db,
      viewerId: UserId,
      stored: StoredChange<E>,
      context: AppContext,
    ) => Promise<Payload<E>>
  }
  /** The optional features that are configured, for `features` of `system`. */
  readonly features?: (context: AppContext) => Partial<SystemFields['features']>
  /** The rows that this module deletes after some days. */
  readonly retention?: readonly RetentionRule[]
  /** Every table of this module: what an erasure of a user does with it, and what an export hands out. */
  readonly personalData?: readonly PersonalTable[]
  /**
   * Removes what this module holds of a user beyond the tables that `personalData` calls deleted: it clears columns, and
   * enqueues the deletion of files. It may run again after it has run. `more`: it must be called again in another
   * transaction, because it has removed as many rows as one step may.
   */
  readonly erase?: (tx: Tx, user_id: UserId) => Promise<'more' | void>
  /** The copy of a user's own data beyond the columns that `personalData` names: files, and rows that need a join. */
  readonly exportData?: (db: Db, user_id: UserId, context: AppContext) => AsyncIterable<ExportPart>
  /** Work of the outbox by kind. */
  readonly outboxHandlers?: Record<string, (app: App, payload: never) => Promise<void>>
  /** Kinds of outbox rows of which fewer may be delivered at once than usual. */
  readonly outboxAtOnce?: Readonly<Record<string, number>>
  /** The ports of earlier modules and of the platform that this module provides: `usageSource.provide({ … })`. */
  readonly provides?: readonly ProvidedPort[]
  /** Set up and recovery when the server starts; what it returns runs at the stop. */
  readonly start?: (app: App) => Promise<(() => Promise<void> | void) | void>
  /**
   * Stores a girl's wish for a break after her current call, or takes it back; when it resolves the wish survives a crash.
   * False: no call of hers has it, because the last one has ended. Runs outside transactions.
   */
  readonly setBreakAfterCall?: (app: App, girl_id: UserId, on: boolean) => Promise<boolean>
  /** Runs once, when the server listens after its start: from now on users can reach it. */
  readonly listening?: (app: App) => Promise<void>
}

/** A module as the app mounts it. */
export interface Module extends ModuleParts<never> {
  readonly name: string
}

export function module<M extends ModuleName>(name: M, parts: ModuleParts<M>): Module {
  return Object.freeze({ name, ...parts }) as unknown as Module
}
