import { createContext, use, type ReactNode } from 'react'
import type { LocalMedia, LocalMediaSnapshot } from '@duet/call-engine'
import { useStore } from '../observable-store.ts'

const LocalMediaContext = createContext<LocalMedia | undefined>(undefined)

export function LocalMediaProvider({
  media,
  children,
}: {
  media: LocalMedia
  children: ReactNode
}) {
  return <LocalMediaContext value={media}>{children}</LocalMediaContext>
}

/** Own camera and microphone, to switch them. */
export function useMediaDevices(): LocalMedia {
  const media = use(LocalMediaContext)
  if (!media) throw new Error('Impossible: a screen outside of LocalMediaProvider')
  return media
}

/** The current state of own camera and microphone. */
export function useLocalMedia(): LocalMediaSnapshot {
  return useStore(useMediaDevices())
}
