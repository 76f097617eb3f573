import { IdentificationCardIcon } from '@phosphor-icons/react/dist/csr/IdentificationCard'
import type { ProfileSection } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

/** The section of verification on the page /profile/. */
export const profileSections: readonly ProfileSection[] = [
  {
    id: 'verification',
    tab: 'account',
    order: 5,
    title: 'verification.title',
    icon: IdentificationCardIcon,
    content: lazyScreen(
      () => import('./verification-section.tsx'),
      (module) => module.VerificationSection,
    ),
  },
]
