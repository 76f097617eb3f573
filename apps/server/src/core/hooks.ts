import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { z } from 'zod'
import type { Permission, User, UserInterlocutor } from '@duet/protocol'
import type { System } from '@duet/protocol/contracts/system.ts'
import type { Db } from './db.ts'
import type { HiddenFrom, HidingViewer } from './hiding.ts'
import type { UserId } from './ids.ts'
import type { RequestContext } from './request-context.ts'
import type { Guest, Member, Viewer } from './viewer.ts'

/** The part of a page of a girl that depends on the two: likes, and the right to write. */
export interface ContactFields {
  readonly likes: number
  /** The viewer likes her. */
  readonly liked: boolean
  /** Of a guy: whether he may write to her now. */
  readonly can_write?: Permission
}

export type SystemFields = z.input<typeof System>

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
  /** Fields that modules add to `GET system`. `place`: where the request comes from; null: unknown. */
  systemFields(
    viewer: Viewer,
    place: Pick<RequestContext, 'country' | 'region'>,
  ): Promise<Partial<SystemFields>>
  /** The reports of modules for `duet doctor`, by the name of the module. */
  diagnosis(): Promise<Record<string, object>>
  /** The features that modules switch on in `GET system`. */
  features(): Partial<SystemFields['features']>
}
