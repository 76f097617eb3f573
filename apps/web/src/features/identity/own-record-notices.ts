import type { User } from '@duet/protocol'
import type { AppServices } from '../../shared/app-services.tsx'
import { followConnection } from '../../shared/connection/follow-connection.ts'
import { t, withTexts } from '../../shared/i18n.ts'
import { showToast } from '../../shared/toasts.ts'

/** Shows a notice when the own record changes in a way that the user should know. */
export function showOwnRecordNotices({ connection }: AppServices): void {
  followConnection(connection, {
    ownRecord(auth, before) {
      if (auth && before && isPremiumOver(before.user as User, auth.user as User))
        withTexts(() => showToast({ title: t('notice.premium_ended') }))
    },
  })
}

export function isPremiumOver(before: User, after: User): boolean {
  return before.id === after.id && before.is_premium && !after.is_premium
}
