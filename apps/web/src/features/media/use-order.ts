import { useRef, useState } from 'react'
import type { Media } from '@duet/protocol'
import { useAppServices } from '../../shared/app-services.tsx'
import { useGalleryChanges } from './gallery-query.ts'

export interface GalleryOrder {
  readonly items: readonly Media[]
  readonly dragged: string | undefined
  /** The last move, for screen readers. */
  readonly moved: { readonly id: string; readonly to: number } | undefined
  /** Moves an item to a place and stores the place. The list changes at once. */
  readonly move: (id: string, to: number) => void
  readonly drag: (id: string | undefined) => void
}

/** The order of a gallery, changed by drag or by buttons. */
export function useOrder(list: readonly Media[]): GalleryOrder {
  const { connection, report } = useAppServices()
  const { reload } = useGalleryChanges()
  const [wanted, setWanted] = useState<readonly string[]>()
  const [moved, setMoved] = useState<GalleryOrder['moved']>()
  const [dragged, drag] = useState<string>()
  const queue = useRef(Promise.resolve())
  const unstored = useRef(0)
  const items = wanted ? inOrder(list, wanted) : list

  async function store(id: string, position: number): Promise<void> {
    try {
      await connection.http.post('gallery/media/update', { id, position })
    } catch (error) {
      report(error)
    }
    unstored.current -= 1
    // The order on the screen holds until the last of several quick moves is stored.
    if (unstored.current > 0) return
    await reload().catch(report)
    if (unstored.current === 0) setWanted(undefined)
  }

  return {
    items,
    dragged,
    moved,
    drag,
    move(id, to) {
      const others = items.map((item) => item.id).filter((other) => other !== id)
      if (to < 0 || to > others.length) return
      setWanted(others.toSpliced(to, 0, id))
      setMoved({ id, to })
      unstored.current += 1
      queue.current = queue.current.then(() => store(id, to))
    },
  }
}

/** Items that were added since the order was made come last. */
function inOrder(list: readonly Media[], wanted: readonly string[]): Media[] {
  const getPlace = (id: string) => {
    const place = wanted.indexOf(id)
    return place < 0 ? wanted.length : place
  }
  return list.toSorted((one, other) => getPlace(one.id) - getPlace(other.id))
}
