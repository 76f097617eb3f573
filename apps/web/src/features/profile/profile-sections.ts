import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import type { ProfileSection } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

const TEXTS = ['profile', 'errors'] as const

/** The sections of profile on the page /profile/. */
export const profileSections: readonly ProfileSection[] = [
  {
    id: 'about',
    tab: 'personal',
    order: 20,
    title: 'profile.section.about',
    icon: UserIcon,
    texts: 'profile',
    content: lazyScreen(
      () => import('./personal-form.tsx'),
      (module) => module.PersonalForm,
      TEXTS,
    ),
  },
]
