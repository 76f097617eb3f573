import type { Permission } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { createPort } from '../../../core/port.ts'
import type { Member } from '../../../core/viewer.ts'

/** The part of a page of a girl that depends on the two: likes, and the right to write. */
export interface ContactFields {
  readonly likes: number
  /** The viewer likes her. */
  readonly liked: boolean
  /** Of a guy: whether he may write to her now. */
  readonly can_write?: Permission
}

/** The likes of a girl, and whether this viewer may write to her. Reads on the pool. */
export type GirlContact = (
  app: App,
  viewer: Member | undefined,
  girlId: UserId,
) => Promise<ContactFields>

export const girlContact = createPort<GirlContact>('the contact with a girl', async () => ({
  likes: 0,
  liked: false,
}))
