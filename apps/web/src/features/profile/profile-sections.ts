import { ProhibitIcon } from '@phosphor-icons/react/dist/csr/Prohibit'
import { ScrollIcon } from '@phosphor-icons/react/dist/csr/Scroll'
import { UserIcon } from '@phosphor-icons/react/dist/csr/User'
import { VideoCameraIcon } from '@phosphor-icons/react/dist/csr/VideoCamera'
import type { ProfileSection } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

/** The profile's own sections on the page /profile/. */
export const profileSections: readonly ProfileSection[] = [
  {
    id: 'about',
    tab: 'personal',
    order: 20,
    title: 'profile.section.about',
    icon: UserIcon,
    content: lazyScreen(
      () => import('./personal-form.tsx'),
      (module) => module.PersonalForm,
    ),
  },
  {
    id: 'calls',
    tab: 'account',
    order: 40,
    title: 'profile.section.calls',
    icon: VideoCameraIcon,
    content: lazyScreen(
      () => import('./calls-section.tsx'),
      (module) => module.CallsSection,
    ),
  },
  {
    id: 'blocked',
    tab: 'account',
    order: 70,
    title: 'profile.section.blocked',
    icon: ProhibitIcon,
    content: lazyScreen(
      () => import('./blocked-section.tsx'),
      (module) => module.BlockedSection,
    ),
  },
  {
    id: 'house-rules',
    tab: 'rules',
    order: 10,
    title: 'profile.section.rules',
    icon: ScrollIcon,
    content: lazyScreen(
      () => import('./rules-section.tsx'),
      (module) => module.RulesSection,
    ),
  },
]
