import type { Permission } from '@duet/protocol'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'
import { createPort } from '../../../core/port.ts'
import type { Member } from '../../../core/viewer.ts'

/** The part of a girl's page that depends on the viewer: likes, and the right to write. */
export interface ContactFields {
  readonly likes: number
  /** The viewer likes the girl. */
  readonly liked: boolean
  /** Only for a guy: whether the guy may write to the girl now. */
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
