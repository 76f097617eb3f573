import {
  createContext,
  use,
  useEffect,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import type { CallEngine, EngineSnapshot, LocalMedia, LocalMediaSnapshot } from '@duet/call-engine'
import type { CallCommands } from './runtime/commands.ts'
import type { CallState, Me } from './state/call-state.ts'
import { sceneOf, type Scene } from './state/scene.ts'

/** What every screen of video stands in: what is known, what can be done, the picture and the sound. */
export interface Room {
  readonly engine: Pick<CallEngine, 'subscribe' | 'getSnapshot' | 'attachRemote' | 'play'>
  readonly media: LocalMedia
  readonly commands: CallCommands
  getSnapshot(): CallState
  subscribe(listener: () => void): () => void
}

const RoomContext = createContext<Room | undefined>(undefined)

export function RoomProvider({ room, children }: { room: Room; children: ReactNode }) {
  return <RoomContext value={room}>{children}</RoomContext>
}

export function useRoom(): Room {
  const room = use(RoomContext)
  if (!room) throw new Error('Impossible: a screen of video outside of its room')
  return room
}

export function useCallState(): CallState {
  const { subscribe, getSnapshot } = useRoom()
  return useSyncExternalStore(subscribe, getSnapshot)
}

export function useScene(): Scene {
  return sceneOf(useCallState())
}

export function useCommands(): CallCommands {
  return useRoom().commands
}

/** Oneself; screens are shown only after AUTH. */
export function useMe(): Me {
  const { me } = useCallState()
  if (!me) throw new Error('Impossible: a screen of video before AUTH')
  return me
}

export function useEngine(): EngineSnapshot {
  const { engine } = useRoom()
  return useSyncExternalStore(engine.subscribe, engine.getSnapshot)
}

export function useMedia(): LocalMediaSnapshot {
  const { media } = useRoom()
  return useSyncExternalStore(media.subscribe, media.getSnapshot)
}

/** This moment, again and again while something on screen runs down. */
export function useNow(every_ms: number, runs = true): number {
  const [now_ms, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!runs) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), every_ms)
    return () => clearInterval(timer)
  }, [every_ms, runs])
  return now_ms
}

/** Whether so much time has passed since a moment; looks again exactly then. */
export function usePassed(since_ms: number, after_ms: number): boolean {
  const [passed, setPassed] = useState(() => Date.now() - since_ms >= after_ms)
  useEffect(() => {
    const left_ms = since_ms + after_ms - Date.now()
    setPassed(left_ms <= 0)
    if (left_ms <= 0) return
    const timer = setTimeout(() => setPassed(true), left_ms)
    return () => clearTimeout(timer)
  }, [since_ms, after_ms])
  return passed
}
