import { GavelIcon } from '@phosphor-icons/react/dist/csr/Gavel'
import type { ProfileSection } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

/** The section of moderation on the page /profile/. */
export const profileSections: readonly ProfileSection[] = [
  {
    id: 'decisions',
    tab: 'account',
    order: 80,
    title: 'statements.title',
    icon: GavelIcon,
    content: lazyScreen(
      () => import('./statement-list.tsx'),
      (module) => module.StatementList,
    ),
  },
]
