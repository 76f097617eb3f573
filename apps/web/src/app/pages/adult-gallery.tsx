import { AdultGalleryPage } from '../../features/adult-gallery/index.ts'
import { useSnapshot } from '../../shared/app-services.tsx'
import { NotFound } from './not-found.tsx'

/** `/nsfw/gallery`: an installation without an adult gallery has no such page. Its own records show whether it has one. */
export function AdultGallery() {
  const { auth } = useSnapshot()
  if (!auth) return <div className="min-h-dvh" />
  if (auth.user.shows_adult === undefined) return <NotFound />
  return (
    <main>
      <AdultGalleryPage />
    </main>
  )
}
