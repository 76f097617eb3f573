import type { User } from '@duet/protocol'
import type { AppServices } from '../../shared/app-services.tsx'
import { followConnection } from '../../shared/connection/follow-connection.ts'
import { t, withTexts, type TextId } from '../../shared/i18n.ts'
import { showToast } from '../../shared/toasts.ts'

/** Shows a notice when the own record changes in a way that the user should know. */
export function showOwnRecordNotices({ connection }: AppServices): void {
  followConnection(connection, {
    ownRecord(auth, before) {
      const notices = auth && before ? noticesOf(before.user as User, auth.user as User) : []
      for (const id of notices) withTexts('identity', () => showToast({ title: t(id) }))
    },
  })
}

/** The notices of one change of the own record; the bell tells of verifications. A change of account has none. */
export function noticesOf(before: User, after: User): TextId[] {
  if (before.id !== after.id) return []
  const notices: TextId[] = []
  if (before.is_premium && !after.is_premium) notices.push('notice.premium_ended')
  return notices
}
