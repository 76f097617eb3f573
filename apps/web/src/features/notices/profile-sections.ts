import { BellIcon } from '@phosphor-icons/react/dist/csr/Bell'
import type { ProfileSection } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

/** The section of this feature on the page /profile/. */
export const profileSections: readonly ProfileSection[] = [
  {
    id: 'notifications',
    tab: 'account',
    order: 40,
    title: 'notices.settings.title',
    icon: BellIcon,
    content: lazyScreen(
      () => import('./notification-settings.tsx'),
      (module) => module.NotificationSettings,
    ),
  },
]
