import type { Goal } from '@duet/protocol/kernel/entities.ts'
import type { AppServices } from '../../../shared/app-services.tsx'
import { statisticsConsent } from '../../../shared/account/statistics-consent.ts'
import { closeStatisticsFrame, sendGoal } from './statistics-frame.ts'

const GOALS = { public: 'random_video_chat', private: 'direct_call' } as const satisfies Record<
  'public' | 'private',
  Goal
>

/**
 * Counts each call once as a public and once as a private one, where the installation has services of statistics and the
 * user permits it. A call before the permission is never counted.
 */
export function countCalls({ connection }: Pick<AppServices, 'connection'>): void {
  const counted = new Set<string>()
  const isPermitted = () => statisticsConsent.getSnapshot() === true
  connection.on('new_session', ({ session: { id, state } }) => {
    const begun = `${id} ${state}`
    if (counted.has(begun)) return
    counted.add(begun)
    if (!isPermitted()) return
    void connection
      .system()
      .then(({ features }) => {
        if (features.analytics.on && isPermitted()) sendGoal(GOALS[state])
      })
      // Without an answer the call is not counted.
      .catch(() => {})
  })
  statisticsConsent.subscribe(() => {
    if (!isPermitted()) closeStatisticsFrame()
  })
}
