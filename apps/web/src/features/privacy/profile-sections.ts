import { ShieldCheckIcon } from '@phosphor-icons/react/dist/csr/ShieldCheck'
import type { ProfileSection } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

/** The section of privacy on the page /profile/. */
export const profileSections: readonly ProfileSection[] = [
  {
    id: 'your-data',
    tab: 'account',
    order: 90,
    title: 'privacy.title',
    icon: ShieldCheckIcon,
    content: lazyScreen(
      () => import('./own-data-section.tsx'),
      (module) => module.OwnDataSection,
    ),
  },
]
