import { UsersThreeIcon } from '@phosphor-icons/react/dist/csr/UsersThree'
import type { ProfileSection } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

export const profileSections: readonly ProfileSection[] = [
  {
    id: 'invite',
    tab: 'personal',
    order: 90,
    title: 'nav.referral',
    icon: UsersThreeIcon,
    content: lazyScreen(
      () => import('./referral-dialog.tsx'),
      (module) => module.ReferralSection,
    ),
  },
]
