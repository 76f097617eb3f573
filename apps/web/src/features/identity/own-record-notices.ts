import type { User } from '@duet/protocol'
import type { AppServices } from '../../shared/app-services.tsx'
import { followConnection } from '../../shared/connection/follow-connection.ts'
import type { FeatureContext } from '../../shared/feature.ts'
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

/** Once the age is confirmed, answers of the server have the addresses of clear pictures. */
export function refetchPictures({
  connection,
  queries,
}: Pick<FeatureContext, 'connection' | 'queries'>): void {
  followConnection(connection, {
    ownRecord(auth, before) {
      const isConfirmed = auth?.user.age_confirmed && !before?.user.age_confirmed
      if (isConfirmed && before?.user.id === auth.user.id) void queries.invalidateQueries()
    },
  })
}
