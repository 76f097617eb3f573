import { DevicesIcon } from '@phosphor-icons/react/dist/csr/Devices'
import { EnvelopeSimpleIcon } from '@phosphor-icons/react/dist/csr/EnvelopeSimple'
import { LockKeyIcon } from '@phosphor-icons/react/dist/csr/LockKey'
import { ShieldCheckIcon } from '@phosphor-icons/react/dist/csr/ShieldCheck'
import { PaletteIcon } from '@phosphor-icons/react/dist/csr/Palette'
import type { ProfileSection } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

/** The sections of identity on the page /profile/. */
export const profileSections: readonly ProfileSection[] = [
  {
    id: 'email',
    tab: 'account',
    order: 10,
    title: 'word.email',
    icon: EnvelopeSimpleIcon,
    content: lazyScreen(
      () => import('./credentials/email-section.tsx'),
      (module) => module.EmailSection,
    ),
  },
  {
    id: 'password',
    tab: 'account',
    order: 15,
    title: 'word.password',
    icon: LockKeyIcon,
    content: lazyScreen(
      () => import('./credentials/password-section.tsx'),
      (module) => module.PasswordSection,
    ),
  },
  {
    id: 'second_factor',
    tab: 'account',
    order: 20,
    title: 'profile.section.second_factor',
    icon: ShieldCheckIcon,
    content: lazyScreen(
      () => import('./second-factor/second-factor-section.tsx'),
      (module) => module.SecondFactorSection,
    ),
  },
  {
    id: 'devices',
    tab: 'account',
    order: 60,
    title: 'profile.section.devices',
    icon: DevicesIcon,
    content: lazyScreen(
      () => import('./devices/devices-section.tsx'),
      (module) => module.DevicesSection,
    ),
  },
  {
    id: 'preferences',
    tab: 'account',
    order: 50,
    title: 'profile.section.preferences',
    icon: PaletteIcon,
    content: lazyScreen(
      () => import('./preferences-section.tsx'),
      (module) => module.PreferencesSection,
    ),
  },
]
