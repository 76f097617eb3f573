import { FilmStripIcon } from '@phosphor-icons/react/dist/csr/FilmStrip'
import { ImagesIcon } from '@phosphor-icons/react/dist/csr/Images'
import { UserCircleIcon } from '@phosphor-icons/react/dist/csr/UserCircle'
import type { ProfileSection } from '../../shared/feature.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'

const TEXTS = ['media', 'errors'] as const
const load = () => import('./sections.ts')

/** The sections of media on the page /profile/. */
export const profileSections: readonly ProfileSection[] = [
  {
    id: 'avatar',
    tab: 'personal',
    order: 10,
    title: 'media.section.avatar',
    icon: UserCircleIcon,
    texts: 'media',
    content: lazyScreen(load, (module) => module.AvatarSection, TEXTS),
  },
  {
    id: 'photos',
    tab: 'personal',
    order: 40,
    title: 'media.section.photos',
    icon: ImagesIcon,
    texts: 'media',
    content: lazyScreen(load, (module) => module.PhotosSection, TEXTS),
  },
  {
    id: 'videos',
    tab: 'personal',
    order: 50,
    title: 'media.section.videos',
    icon: FilmStripIcon,
    texts: 'media',
    content: lazyScreen(load, (module) => module.VideosSection, TEXTS),
  },
]
