import { DevicesIcon } from '@phosphor-icons/react/dist/csr/Devices'
import { EnvelopeSimpleIcon } from '@phosphor-icons/react/dist/csr/EnvelopeSimple'
import { LockKeyIcon } from '@phosphor-icons/react/dist/csr/LockKey'
import { ShieldCheckIcon } from '@phosphor-icons/react/dist/csr/ShieldCheck'
import { PaletteIcon } from '@phosphor-icons/react/dist/csr/Palette'
import type { ProfileSection } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

const TEXTS = ['identity', 'errors'] as const

/** The sections of identity on the page /profile/. */
export const profileSections: readonly ProfileSection[] = [
  {
    id: 'email',
    tab: 'account',
    order: 10,
    title: 'profile.section.email',
    icon: EnvelopeSimpleIcon,
    texts: 'identity',
    content: lazyScreen(
      () => import('./credentials/email-section.tsx'),
      (module) => module.EmailSection,
      TEXTS,
    ),
  },
  {
    id: 'password',
    tab: 'account',
    order: 15,
    title: 'profile.section.password',
    icon: LockKeyIcon,
    texts: 'identity',
    content: lazyScreen(
      () => import('./credentials/password-section.tsx'),
      (module) => module.PasswordSection,
      TEXTS,
    ),
  },
  {
    id: 'second_factor',
    tab: 'account',
    order: 20,
    title: 'profile.section.second_factor',
    icon: ShieldCheckIcon,
    texts: 'identity',
    content: lazyScreen(
      () => import('./second-factor/second-factor-section.tsx'),
      (module) => module.SecondFactorSection,
      TEXTS,
    ),
  },
  {
    id: 'devices',
    tab: 'account',
    order: 60,
    title: 'profile.section.devices',
    icon: DevicesIcon,
    texts: 'identity',
    content: lazyScreen(
      () => import('./devices/devices-section.tsx'),
      (module) => module.DevicesSection,
      TEXTS,
    ),
  },
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
