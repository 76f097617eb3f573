import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { z } from 'zod'
import type { CountedPage, QueueName, User, UserInterlocutor } from '@duet/protocol'
import type { System } from '@duet/protocol/contracts/system.ts'
import type { Db } from './db.ts'
import type { HiddenFrom, HidingViewer } from './hiding.ts'
import type { UserId } from './ids.ts'
import type { RequestContext } from './request-context.ts'
import type { Guest, Member, Staff, Viewer } from './viewer.ts'

export type SystemFields = z.input<typeof System>

/**
 * The cases of one queue of the back office that wait for a decision; `oldest`: since when one waits. `median_seconds`: how
 * long the answers of the last days took; absent where a queue has no times of answers.
 */
export interface WaitingCases {
  readonly queue: CountedPage
  readonly waiting: number
  readonly oldest: Temporal.Instant | null
  readonly median_seconds?: number | null
}

/** The member of staff who lists a queue. `is_limited`: severe cases are left to others for now. */
export interface QueueViewer {
  readonly staff: Staff
  readonly now: Temporal.Instant
  readonly is_limited: boolean
}

/** For which members of staff the cases that wait are counted. All of them share one count. */
export interface CountedRole {
  readonly staff_role: Staff['staff_role']
  readonly now: Temporal.Instant
  readonly is_limited: boolean
}

/** A case by the number or uuid within its queue. */
export interface QueuedCase {
  readonly queue: QueueName
  readonly id: string
}

/** A call and its two people. */
export interface CallSides {
  readonly session_id: number
  readonly guy_id: UserId
  readonly girl_id: UserId
}

/** Figures of a call that staff see beside a case. The scores are averages from 1 to 5 of what each side received. */
export interface CaseFigures {
  readonly gifts: number
  readonly guy_score: number | null
  readonly girl_score: number | null
}

/** Fields of `GET system` that modules add; `features` is merged. */
export type AddedSystemFields = Partial<Omit<SystemFields, 'features'>> & {
  readonly features?: Partial<SystemFields['features']>
}

/**
 * The merged contributions of all mounted modules. module.ts declares the contribution of one module. Every
 * hook costs at most one query per module, for any number of ids. The modules read in parallel, on the
 * given `db`.
 */
export interface Hooks {
  /** Fields that modules add to how the viewer sees these people (`avatar`, `is_favorite`, `status`, …). */
  publicFields(
    db: Db,
    viewerId: UserId | null,
    ids: readonly UserId[],
  ): Promise<ReadonlyMap<UserId, Partial<UserInterlocutor>>>
  /** Fields that modules add to the own user record (`balance`, `avatar`, …). */
  ownFields(db: Db, user_id: UserId): Promise<Partial<User>>
  /** The ids among these that are hidden from the viewer. */
  hiddenUsers(db: Db, viewer: HidingViewer, ids: readonly UserId[]): Promise<ReadonlySet<UserId>>
  /** The reverse of `hiddenUsers`: for each of these users, the viewers who may not see them. */
  hiddenFrom(db: Db, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, HiddenFrom>>
  /** Users who want to learn that this user comes online: the first `limit` of them with ids above `above`, by id. */
  interestedIn(
    db: Db,
    user: { readonly id: UserId; readonly role: Role },
    part: { readonly above: UserId; readonly limit: number },
  ): Promise<readonly UserId[]>
  /** Stored changes of one event as their recipient sees them now; as they were stored when no module renders the event. */
  renderChanges(
    db: Db,
    viewerId: UserId,
    event: string,
    stored: readonly object[],
  ): Promise<readonly object[]>
  /** Fields that modules add to auth_success. Reads on the pool. */
  authFields(viewer: Guest | Member): Promise<Record<string, unknown>>
  /** Fields that modules add to `GET system`. `place`: where the request comes from; null: unknown. */
  systemFields(
    viewer: Viewer,
    place: Pick<RequestContext, 'country' | 'region'>,
  ): Promise<AddedSystemFields>
  /** Figures of a call from the modules that have them. */
  callFigures(db: Db, call: CallSides): Promise<Partial<CaseFigures>>
  /** The queues of the back office with their waiting cases. */
  waitingCases(db: Db, role: CountedRole): Promise<readonly WaitingCases[]>
  /** The users of a case that waits; undefined: no such case waits. Refuses role_forbidden where this member of staff may not decide it now. */
  caseUsers(db: Db, named: QueuedCase, viewer: QueueViewer): Promise<readonly UserId[] | undefined>
  /** The reports of modules for `duet doctor`, by the name of the module. */
  diagnosis(): Promise<Record<string, object>>
}
