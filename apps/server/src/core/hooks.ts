import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { Gallery, User, UserInterlocutor } from '@duet/protocol'
import type { System } from '@duet/protocol/contracts/system.ts'
import type { AppContext, Tx } from './app.ts'
import type { Db } from './db.ts'
import type { UserId } from './ids.ts'
import type { RequestContext } from './request-context.ts'
import type { Guest, Member, Viewer } from './viewer.ts'
import type { ExportPart } from '../platform/personal-data/personal-data.ts'

/** A viewer, as hiding from them is decided. */
export interface HidingViewer {
  /** Null: a user without an account. */
  readonly id: UserId | null
  /** The country of the viewer's connection. Undefined: the stored country of the user counts. Null: unknown, also when stored. */
  readonly country?: string | null
}

/** Stands in the place of a country for an event to viewers in many countries: each country is checked when it is sent. */
export const ANYWHERE = 'anywhere'

/** The part of a page of a girl that depends on the two: likes, and the right to write. */
export interface ContactFields {
  readonly likes: number
  /** The viewer likes her. */
  readonly liked: boolean
  /** Of a guy: whether he may write to her now. */
  readonly can_write?: { readonly allowed: boolean; readonly code?: number }
}

/** The viewers who may not see a user. */
export interface HiddenFrom {
  readonly users: ReadonlySet<UserId>
  /** Unless it is empty, viewers whose country is unknown may not see the user either. */
  readonly countries: ReadonlySet<string>
}

export type SystemFields = z.input<typeof System>

/**
 * A user's running process (a call) has used units, and a part of them is posted to the ledger: negative for spending,
 * positive for earning. The ledger reads the posted part in the statement that reads the balance, because a
 * posting between two statements would show in one of them only; the used part only grows and may be read later.
 */
export interface UsageSource {
  /** A statement with the columns `user_id`, `process_id` and `posted`: the running processes of these users. */
  readonly postedOf: (ids: readonly UserId[]) => RawBuilder<unknown>
  /** Undefined when memory does not have this process of the user. */
  readonly usedUnits: (
    context: AppContext,
    user_id: UserId,
    processId: number,
  ) => bigint | undefined
}

/**
 * The contributions of all mounted modules, merged; module.ts declares the contribution of one module. Each of these costs
 * one query per module at most, whatever the number of ids, and the modules are asked in parallel. Everything reads on
 * the `db` it is given.
 */
export interface Hooks {
  /** Fields that modules add to how the viewer sees these people (`avatar`, `is_favorite`, `status`, …). */
  publicFields(
    db: Db,
    viewerId: UserId | null,
    ids: readonly UserId[],
  ): Promise<ReadonlyMap<UserId, Partial<UserInterlocutor>>>
  /** The source of units that users spend or earn before they are posted, if a module has it. */
  usage(): UsageSource | undefined
  /** Fields that modules add to the own user record (`balance`, `avatar`, …). */
  ownFields(db: Db, user_id: UserId): Promise<Partial<User>>
  /** The ids among these that are hidden from the viewer. */
  hiddenUsers(db: Db, viewer: HidingViewer, ids: readonly UserId[]): Promise<ReadonlySet<UserId>>
  /** The reverse of `hiddenUsers`: for each of these users, the viewers who may not see them. */
  hiddenFrom(db: Db, ids: readonly UserId[]): Promise<ReadonlyMap<UserId, HiddenFrom>>
  /** Those of these uploads that a message in the viewer's own view of a dialog carries. */
  mediaOfDialogs(db: Db, viewerId: UserId, ids: readonly string[]): Promise<ReadonlySet<string>>
  /** Users who want to learn that this user comes online: the first `limit` of them with ids above `above`, by id. */
  interestedIn(
    db: Db,
    user: { readonly id: UserId; readonly role: Role },
    part: { readonly above: UserId; readonly limit: number },
  ): Promise<readonly UserId[]>
  /** A stored change as its recipient sees it now; as it was stored when no module renders the event. */
  renderChange(db: Db, viewerId: UserId, event: string, stored: object): Promise<object>
  /** Stores a girl's wish for a break after her current call; false when no call of hers has it. */
  setBreakAfterCall(girl_id: UserId, on: boolean): Promise<boolean>
  /** The likes of a girl, and whether this viewer may write to her. Reads on the pool. */
  contactFields(viewer: Member | undefined, girlId: UserId): Promise<ContactFields>
  /** Fields that modules add to auth_success. Reads on the pool. */
  authFields(viewer: Guest | Member): Promise<Record<string, unknown>>
  /** The own photos and videos, empty where no module has them. Reads on the pool. */
  ownGalleries(viewer: Member): Promise<Gallery>
  /** Fields that modules add to `GET system`. `place`: where the request comes from; null: unknown. */
  systemFields(
    viewer: Viewer,
    place: Pick<RequestContext, 'country' | 'region'>,
  ): Promise<Partial<SystemFields>>
  /** One step of removing what all modules hold of a user; `more`: repeat it in another transaction. */
  erase(tx: Tx, user_id: UserId): Promise<'done' | 'more'>
  /** The copy of a user's own data that all modules hand out; reads on the pool. */
  exportData(user_id: UserId): AsyncIterable<ExportPart>
  /** The reports of modules for `duet doctor`, by the name of the module. */
  diagnosis(): Promise<Record<string, object>>
  /** The features that modules switch on in `GET system`. */
  features(): Partial<SystemFields['features']>
}
