import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Answer, Media } from '@duet/protocol'
import { useAppServices } from '../../shared/app-services.tsx'

const GALLERY_KEY = ['gallery'] as const
/** The server converts a video. No event announces the end of the conversion. */
const CONVERSION_POLL_MS = 4000

type Galleries = Answer<'GET gallery'>

/**
 * The own galleries. Every caller has a timer of its own. So only the caller that `polls` fetches again while a video
 * is being converted.
 */
export function useGallery({ polls = false } = {}) {
  const { connection } = useAppServices()
  return useQuery({
    queryKey: GALLERY_KEY,
    queryFn: () => connection.http.get('gallery'),
    refetchInterval: ({ state }) =>
      polls && state.data?.videos.some(({ status }) => status === 'processing')
        ? CONVERSION_POLL_MS
        : false,
    // A review by staff changes an item while the page shows another.
    refetchOnMount: 'always',
  })
}

/** Changes the fetched galleries after an answer of the server. `reload` fetches the galleries again. */
export function galleryChanges(queries: QueryClient) {
  const change = (of: (list: readonly Media[]) => Media[]) =>
    queries.setQueryData<Galleries>(
      GALLERY_KEY,
      (galleries) => galleries && { photos: of(galleries.photos), videos: of(galleries.videos) },
    )
  return {
    add: (media: Media) =>
      queries.setQueryData<Galleries>(GALLERY_KEY, (galleries) => {
        if (!galleries) return galleries
        const list = media.kind === 'photo' ? 'photos' : 'videos'
        return { ...galleries, [list]: [...galleries[list], media] }
      }),
    replace: (media: Media) =>
      change((list) => list.map((item) => (item.id === media.id ? media : item))),
    remove: (id: string) => change((list) => list.filter((item) => item.id !== id)),
    reload: () => queries.invalidateQueries({ queryKey: GALLERY_KEY }),
  }
}

export function useGalleryChanges() {
  return galleryChanges(useQueryClient())
}
