import { useCallback, useEffect, useRef, useState } from 'react'
import { useAgeConfirmation } from '../../../shared/age-confirmation.ts'
import { useImmersive } from '../../../shared/frame.tsx'
import { useAppServices } from '../../../shared/app-services.tsx'
import { entryParams } from '../../../shared/entry-params.ts'
import { AfterScene } from '../after/after.tsx'
import { Announcer } from '../announcer.tsx'
import { Denied } from '../gate/denied.tsx'
import { Permission } from '../gate/permission.tsx'
import { RoomProvider, useCallState, useCommands, useScene } from '../room.tsx'
import { callRuntime } from '../runtime/call-runtime.ts'
import { BreakScene } from '../search/break.tsx'
import { OfferScene } from '../search/offer.tsx'
import { PausedScene } from '../search/paused.tsx'
import { PreviewScene } from '../search/preview.tsx'
import { SearchingScene } from '../search/searching.tsx'
import { CallLayer } from '../stage/call-layer.tsx'
import type { Me } from '../state/call-state.ts'
import { isImmersive, type Scene } from '../state/scene.ts'
import { GirlIdle } from './girl-idle.tsx'
import { GuyIdle } from './guy-idle.tsx'
import { useSceneFocus } from './scene-focus.ts'

export interface VideoHomeProps {
  /** The visitor pressed Start on the landing page and is of age: begin with the camera. */
  starts_at_once?: boolean
  /** A visitor without account stopped: back to the landing page. */
  onLeave?: () => void
}

/** Everything of video on `/`: idle screens, search, offer, call, receipt. */
export function VideoHome(props: VideoHomeProps) {
  const session = useAppServices()
  const [room] = useState(() => callRuntime(session))
  useEffect(() => () => room.commands.leavePage(), [room])
  return (
    <RoomProvider room={room}>
      <VideoScreens {...props} />
    </RoomProvider>
  )
}

export function VideoScreens({ starts_at_once = false, onLeave }: VideoHomeProps) {
  const scene = useScene()
  const commands = useCommands()
  const adult = useAgeConfirmation()
  const { me } = useCallState()
  const isReady = me !== null
  useImmersive(isImmersive(scene))
  useSceneFocus(scene.name)
  useLeaving(scene, me, onLeave)
  const start = useCallback(() => void commands.start({ asksAdult: adult }), [commands, adult])
  const stop = useCallback(() => void commands.stop(), [commands])

  const hasStarted = useRef(false)
  useEffect(() => {
    if (!starts_at_once || !isReady || hasStarted.current) return
    hasStarted.current = true
    void commands.start({ explains: !entryParams().starts_camera })
  }, [starts_at_once, isReady, commands])
  return (
    <>
      {me ? (
        <Screen scene={scene} me={me} onStart={start} onStop={stop} />
      ) : (
        <div className="min-h-dvh" />
      )}
      {/* Outside of the scenes: its video element lives on from one partner to the next. */}
      <CallLayer />
      <Announcer />
    </>
  )
}

interface ScreenProps {
  scene: Scene
  me: Me
  onStart: () => void
  onStop: () => void
}

function Screen({ scene, me, onStart, onStop }: ScreenProps) {
  switch (scene.name) {
    case 'loading':
    case 'connecting':
    case 'in_call':
      return null
    case 'permission':
      return <Permission resumes={scene.resumes} />
    case 'denied':
      return <Denied />
    case 'searching':
      return <SearchingScene scene={scene} onStop={onStop} />
    case 'offered':
      return <OfferScene key={scene.pair.pair_id} scene={scene} onStop={onStop} />
    case 'preview':
      return <PreviewScene key={scene.pair.pair_id} scene={scene} onStop={onStop} />
    case 'break':
      return <BreakScene left={scene.left} onStart={onStart} />
    case 'paused':
      return <PausedScene scene={scene} />
    case 'after':
      return <AfterScene key={scene.left.receipt.session_id} left={scene.left} onStart={onStart} />
    case 'idle':
      return (
        <main>
          {me.role === 'girl' ? (
            <GirlIdle scene={scene} onStart={onStart} />
          ) : (
            <GuyIdle scene={scene} onStart={onStart} />
          )}
        </main>
      )
  }
}

/** A visitor who stopped goes back to the landing page: that is his idle screen. */
function useLeaving({ name }: Scene, me: Me | null, onLeave: (() => void) | undefined): void {
  const wasBusy = useRef(false)
  useEffect(() => {
    if (name === 'loading' || !me) return
    if (name !== 'idle') wasBusy.current = true
    else if (wasBusy.current && !me.is_member) onLeave?.()
  }, [name, me, onLeave])
}
