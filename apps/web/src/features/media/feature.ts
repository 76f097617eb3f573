import type texts from '@duet/locales/en/media.json'
import type { Media } from '@duet/protocol'
import type { Feature } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

declare module '../../shared/i18n.ts' {
  interface TextCatalogs {
    media: typeof texts
  }
}

declare module '../../shared/dialogs.ts' {
  interface DialogContracts {
    avatar: { input: Record<never, never>; answer: true }
    media_item: { input: { media: Media }; answer: true }
    adult_consent: { input: { kind: Media['kind']; count: number }; answer: true }
    delete_media: { input: { kind: Media['kind'] | 'avatar' }; answer: true }
  }
}

/** Media: the avatar and the own galleries. */
export const media = {
  profileSections: async () => (await import('./profile-sections.ts')).profileSections,
  dialogs: {
    avatar: lazyScreen(
      () => import('./avatar-dialog.tsx'),
      (module) => module.AvatarDialog,
    ),
    media_item: lazyScreen(
      () => import('./item-dialog.tsx'),
      (module) => module.ItemDialog,
    ),
    adult_consent: lazyScreen(
      () => import('./adult-items.tsx'),
      (module) => module.AdultConsentDialog,
    ),
    delete_media: lazyScreen(
      () => import('./delete-media-dialog.tsx'),
      (module) => module.DeleteMediaDialog,
    ),
  },
  errorAreas: {
    'POST avatar': 'profile',
    'POST avatar/set': 'profile',
    'POST avatar/delete': 'profile',
    'POST gallery/media/update': 'profile',
    'POST gallery/media/delete': 'profile',
    'POST media_nsfw': 'profile',
  },
} satisfies Feature
