import type { Answer } from '@duet/protocol'
import type { EventHandlers, Feature } from '../../shared/feature.ts'
import { patchPerson } from '../../shared/people/people.ts'
import { SYSTEM_KEY } from '../../shared/queries.ts'

const events: EventHandlers<'presence'> = {
  update_status_user: ({ user_id, status, sub_status }) =>
    patchPerson(user_id, { status, sub_status }),
  update_status_girl: ({ user_id, status }) => patchPerson(user_id, { status }),
  'online.count': ({ woman }, { queries }) => {
    queries.setQueryData<Answer<'GET system'>>(
      SYSTEM_KEY,
      (system) => system && { ...system, women_online: woman },
    )
  },
}

/** Presence: who is online, and how many women are. */
export const presence = { events } satisfies Feature
