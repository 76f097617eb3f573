import { AdultGalleryPage } from '../../features/media/adult-gallery/adult-gallery-page.tsx'
import { useSnapshot } from '../../shared/app-services.tsx'
import { NotFound } from './not-found.tsx'

/**
 * `/nsfw/gallery`. The installation's records show whether the installation has an adult gallery. Without an adult
 * gallery there is no page.
 */
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
