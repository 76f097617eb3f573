import type { AppServices } from '../../shared/app-services.tsx'
import { followConnection } from '../../shared/connection/follow-connection.ts'
import { isRegistered } from '../../shared/account/auth-status.ts'

/** Stores that a member is logged in, so that the next load does not paint the landing page. A referral code ends with registration. */
export function rememberMembership({ connection, persistence }: AppServices): void {
  followConnection(connection, {
    ownRecord(auth) {
      persistence.set('member', isRegistered(auth?.user) || undefined)
      if (isRegistered(auth?.user)) persistence.set('ref_code', undefined)
    },
  })
}
