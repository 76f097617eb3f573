import type { AppServices } from '../../shared/app-services.tsx'
import { isRegistered } from '../../shared/account/auth-status.ts'

/** Stores that a member is logged in, so that the next load does not paint the landing page. A referral code ends with registration. */
export function rememberMembership({ connection, persistence }: AppServices): void {
  connection.on('identity', (auth) => {
    if (!auth) persistence.set('member', undefined)
  })
  connection.on('snapshot', ({ auth }) => {
    if (!auth) return
    persistence.set('member', isRegistered(auth.user) || undefined)
    if (isRegistered(auth.user)) persistence.set('ref_code', undefined)
  })
}
