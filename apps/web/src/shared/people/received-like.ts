import type { Payload } from '@duet/protocol'
import { createAccountStore } from '../account/account-store.ts'

/** The last like that arrived. A call shows the like of its partner. */
export const receivedLike = createAccountStore<Payload<'like_received'> | null>(null)
