import type { Permission } from '@duet/protocol'
import type { Role } from '@duet/protocol/kernel/roles.ts'
import type { AppContext } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { createPort } from '../../core/port.ts'

export interface Caller {
  readonly id: UserId
  readonly role: Role
  readonly premium: boolean
}

/** For each of these users, whether this member may call the user now. A few statements for any number of users. */
export type CallPermissions = (
  context: AppContext,
  db: Db,
  caller: Caller,
  ids: readonly UserId[],
) => Promise<ReadonlyMap<UserId, Permission>>

export const callPermissions = createPort<CallPermissions>(
  'who may be called',
  async () => new Map(),
)
