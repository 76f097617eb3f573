import { FilmStripIcon } from '@phosphor-icons/react/dist/csr/FilmStrip'
import { ImagesIcon } from '@phosphor-icons/react/dist/csr/Images'
import { UserCircleIcon } from '@phosphor-icons/react/dist/csr/UserCircle'
import type { ProfileSection } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

const loadGallery = () => import('./gallery-section.tsx')

/** The sections of media on the page /profile/. */
export const profileSections: readonly ProfileSection[] = [
  {
    id: 'avatar',
    tab: 'personal',
    order: 10,
    title: 'media.section.avatar',
    icon: UserCircleIcon,
    content: lazyScreen(
      () => import('./avatar-section.tsx'),
      (module) => module.AvatarSection,
    ),
  },
  {
    id: 'photos',
    tab: 'personal',
    order: 40,
    title: 'word.photos',
    icon: ImagesIcon,
    content: lazyScreen(loadGallery, (module) => module.PhotosSection),
  },
  {
    id: 'videos',
    tab: 'personal',
    order: 50,
    title: 'media.section.videos',
    icon: FilmStripIcon,
    content: lazyScreen(loadGallery, (module) => module.VideosSection),
  },
]
