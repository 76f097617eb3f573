import { PaletteIcon } from '@phosphor-icons/react/dist/csr/Palette'
import type { ProfileSection } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

/** The sections of identity on the page /profile/. */
export const profileSections: readonly ProfileSection[] = [
  {
    id: 'preferences',
    tab: 'account',
    order: 50,
    title: 'profile.section.preferences',
    icon: PaletteIcon,
    texts: 'identity',
    content: lazyScreen(
      () => import('./preferences-section.tsx'),
      (module) => module.PreferencesSection,
      ['identity'],
    ),
  },
]
