/**
 * A module and its hooks. A hook is a part of `ModuleParts` that at least two modules provide; a test counts the providers.
 *
 * A part that one module provides and an earlier module (or the platform) reads is a port instead (port.ts). The reader
 * creates the port and exports it: `export const usageSource = createPort<UsageSource | undefined>(…)` in the ledger. The
 * provider imports the port and names its part: `provides: [usageSource.provide({ … })]` in the calls. The reader calls
 * `usageSource.get(app)`, and gets the default of the port where no mounted module provides the part.
 */
import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { StaffRole } from '@duet/protocol/kernel/who.ts'
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
import type { App, AppContext, Tx } from './app.ts'
import type { Db } from './db.ts'
import type {
  AddedSystemFields,
  CallSides,
  CaseFigures,
  QueuedCase,
  CountedRole,
  QueueViewer,
  WaitingCases,
} from './hooks.ts'
import type { HiddenFrom, HidingViewer } from './hiding.ts'
import type { UserId } from './ids.ts'
import type { ProvidedPort } from './port.ts'
import type { RequestContext } from './request-context.ts'
import type { StoredChange } from './stored-change.ts'
import type { Guest, Member, Staff, Viewer, Visitor } from './viewer.ts'
import type { DomainEventName, DomainEvents } from './domain-events.ts'
import type { RawResponse } from './raw-response.ts'
import type { ExportPart, PersonalTable } from './personal-data.ts'
import type { RetentionRule } from './retention-rule.ts'
import type { Job } from './job.ts'

/** The weakest viewer that passes a contract's `who`: what the handler may rely on. */
type ViewerFor<W> = [W] extends [StaffWho]
  ? Staff
  : 'any' extends W
    ? Viewer
    : 'guest' extends W
      ? Guest | Member
      : Member
type StaffWho = 'staff' | StaffRole
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

/**
 * The users that a module hides from others. Hidden users are offline to them and in no list. One query for
 * all ids.
 */
export interface Hiding {
  /** The ids among these that are hidden from the viewer. */
  readonly hiddenUsers: (
    db: Db,
    viewer: HidingViewer,
    ids: readonly UserId[],
  ) => Promise<ReadonlySet<UserId>>
  /**
   * The reverse of `hiddenUsers`, for status changes of many users at once: maps each user to the viewers
   * who may not see the user. Without `hiddenFrom`, `hiddenUsers` hides users from guests only, and guests
   * get no status changes.
   */
  readonly hiddenFrom?: (
    db: Db,
    ids: readonly UserId[],
  ) => Promise<ReadonlyMap<UserId, Partial<HiddenFrom>>>
}

/** The data that a module holds about users, and how the data is removed and copied. */
export interface PersonalData {
  /** Every table of the module: what an erasure of a user does with it, and what an export hands out. */
  readonly tables: readonly PersonalTable[]
  /**
   * Removes what this module stores about a user outside the `deleted` tables: clears columns and enqueues
   * the deletion of files. May run again after it has run. `more`: one step has removed its maximum of
   * rows. The caller repeats the step in another transaction.
   */
  readonly erase?: (tx: Tx, user_id: UserId) => Promise<'more' | void>
  /** The copy of a user's own data beyond the columns that `tables` names: files, and rows that need a join. */
  readonly exportData?: (db: Db, user_id: UserId, context: AppContext) => AsyncIterable<ExportPart>
}

type DeliverWork = (app: App, payload: never) => Promise<void>

/** Delivers one kind of work of the outbox; `at_once`: of which fewer may be delivered at once than usual. */
export type OutboxHandler =
  | DeliverWork
  | { readonly deliver: DeliverWork; readonly at_once: number }

export interface ModuleParts<M extends ModuleName> {
  /** Handlers of the requests of the main socket, and of the signals of the signaling socket. */
  readonly actions?: Partial<ActionsOf<M>> & SignalsOf
  readonly endpoints?: Partial<EndpointsOf<M>>
  /** Fields that this module adds to `GET system`; `features`: the optional features that are configured. */
  readonly systemFields?: (
    app: App,
    viewer: Viewer,
    place: Pick<RequestContext, 'country' | 'region'>,
  ) => Promise<AddedSystemFields>
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
  // The hooks from here to `renderChanges` run on the pool or inside a transaction. They read only on the
  // given `db`, with one query for all ids.
  /** Fields that this module adds to the own user record (`balance`, `avatar`, …). */
  readonly ownFields?: (db: Db, user_id: UserId, context: AppContext) => Promise<Partial<User>>
  /** Fields that this module adds to how others see people (`avatar`, `is_favorite`, `status`, …), for many at once. */
  readonly publicFields?: (
    db: Db,
    viewerId: UserId | null,
    ids: readonly UserId[],
    context: AppContext,
  ) => Promise<ReadonlyMap<UserId, Partial<UserInterlocutor>>>
  /** The users that this module hides from others. */
  readonly hiding?: Hiding
  /** Users who want to learn that this user comes online: those with ids above `above`, by id, at most `limit`. */
  readonly interestedIn?: (
    db: Db,
    user: { readonly id: UserId; readonly role: Role },
    part: { readonly above: UserId; readonly limit: number },
    context: AppContext,
  ) => Promise<readonly UserId[]>
  /**
   * How rows of the change log are shown to their recipient now, in the order of the rows. The number of
   * queries does not depend on the number of rows. Without this part, the stored payloads are shown.
   */
  readonly renderChanges?: {
    readonly [E in EventName]?: (
      db: Db,
      viewerId: UserId,
      stored: readonly StoredChange<E>[],
      context: AppContext,
    ) => Promise<readonly Payload<E>[]>
  }
  /** Figures of a call that this module has. */
  readonly callFigures?: (db: Db, call: CallSides) => Promise<Partial<CaseFigures>>
  /** The queues of the back office whose cases this module has. */
  readonly waitingCases?: (
    db: Db,
    role: CountedRole,
    context: AppContext,
  ) => Promise<readonly WaitingCases[]>
  /**
   * The users of a case that waits in a queue of this module; undefined: no such case waits here. Refuses role_forbidden where
   * this member of staff may not decide it now.
   */
  readonly caseUsers?: (
    db: Db,
    named: QueuedCase,
    viewer: QueueViewer,
    context: AppContext,
  ) => Promise<readonly UserId[] | undefined>
  /** The rows that this module deletes after some days. */
  readonly retention?: readonly RetentionRule[]
  /** The data that this module holds about users. */
  readonly personalData?: PersonalData
  /** Work of the outbox by kind. */
  readonly outboxHandlers?: Readonly<Record<string, OutboxHandler>>
  /** The ports of earlier modules and of the platform that this module provides: `usageSource.provide({ … })`. */
  readonly provides?: readonly ProvidedPort[]
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
