import { useCallback, useEffect, useRef } from 'react'
import { LeavingScreen } from '../../features/calls/leaving-screen.tsx'
import { ReceiptScreen } from '../../features/calls/receipt-screen.tsx'
import { DeniedScreen } from '../../features/devices/denied-screen.tsx'
import { PermissionScreen } from '../../features/devices/permission-screen.tsx'
import { BreakScreen } from '../../features/matchmaking/break-screen.tsx'
import { GirlIdle } from '../../features/matchmaking/girl-idle.tsx'
import { GuyIdle } from '../../features/matchmaking/guy-idle.tsx'
import { OfferScreen } from '../../features/matchmaking/offer-screen.tsx'
import { CaptchaScreen, PausedScreen } from '../../features/matchmaking/paused-screen.tsx'
import { PreviewScreen } from '../../features/matchmaking/preview-screen.tsx'
import type { StartPress } from '../../features/matchmaking/idle-parts.tsx'
import { usePress } from '../../shared/controls/use-press.ts'
import { SearchingScreen } from '../../features/matchmaking/searching-screen.tsx'
import { captchaView } from '../../shared/account/captcha-view.ts'
import { useAgeConfirmation } from '../../shared/account/age-confirmation.ts'
import { useAppServices } from '../../shared/app-services.tsx'
import { entryParams } from '../../shared/navigation/entry-params.ts'
import { useImmersive } from '../../shared/frame.tsx'
import { useStore } from '../../shared/observable-store.ts'
import { videoInUse } from '../../shared/video/video-in-use.ts'
import type { OwnUser } from '../../shared/account/own-user.tsx'
import { isImmersive, type VideoScreen, type VideoScreenName } from './video-screen.ts'
import { DeniedInCall, EnterScreen } from './enter-screen.tsx'
import { useVideoScreen, useVideo, VideoProvider } from './video-context.tsx'
import { videoRuntime } from './video-runtime.ts'

export interface VideoHomeProps {
  /** The visitor pressed Start on the landing page and is of age: begin with the camera. */
  starts_at_once?: boolean
  /** A visitor without account stopped: back to the landing page. */
  onLeave?: () => void
}

/** Search and calls on `/`: idle screens, search, offer, call, receipt. */
export function VideoHome(props: VideoHomeProps) {
  const video = videoRuntime(useAppServices())
  useEffect(() => {
    videoInUse.set(true)
    return () => video.leaveSearch()
  }, [video])
  return (
    <VideoProvider video={video}>
      <VideoScreens {...props} />
    </VideoProvider>
  )
}

export function VideoScreens({ starts_at_once = false, onLeave }: VideoHomeProps) {
  const video = useVideo()
  const screen = useVideoScreen()
  const commands = video.searchCommands
  const asksAdult = useAgeConfirmation()
  const me = useStore(video.me)
  const isReady = me !== null
  useImmersive(isImmersive(screen))
  useScreenFocus(screen.name)
  useLeaving(screen, me, onLeave)
  const { busy, press: start } = usePress(() => commands.start({ asksAdult }))
  const next = useCallback(
    () => void commands.start({ asksAdult, keepsWish: true }),
    [commands, asksAdult],
  )
  const stop = useCallback(() => void commands.stop(), [commands])

  const hasStarted = useRef(false)
  useEffect(() => {
    if (!starts_at_once || !isReady || hasStarted.current) return
    hasStarted.current = true
    void commands.start({ explains: !entryParams().starts_camera })
  }, [starts_at_once, isReady, commands])
  if (!me) return <div className="min-h-dvh" />
  return (
    <CurrentScreen
      screen={screen}
      me={me}
      start={{ busy, onStart: () => void start() }}
      onNext={next}
      onStop={stop}
    />
  )
}

interface CurrentScreenProps {
  screen: VideoScreen
  me: OwnUser
  start: StartPress
  /** The next search after a call, by itself or by a press. */
  onNext: () => void
  onStop: () => void
}

function CurrentScreen({ screen, me, start, onNext, onStop }: CurrentScreenProps) {
  // If the user's own searches were too many, the server pauses the search. For a crowded network the server asks
  // without a pause.
  const captcha = useStore(captchaView)
  const { closeReceipt } = useVideo().callCommands
  const hasFailedCaptcha = captcha?.place === 'search' && captcha.phase === 'failed'
  switch (screen.name) {
    case 'loading':
    case 'connecting':
    case 'in_call':
      return null
    case 'leaving':
      return <LeavingScreen call={screen.call} />
    case 'permission':
      return <PermissionScreen />
    case 'denied':
      return screen.call ? <DeniedInCall /> : <DeniedScreen />
    case 'enter':
      return <EnterScreen call={screen.call} />
    case 'searching':
      return hasFailedCaptcha ? (
        <CaptchaScreen />
      ) : (
        <SearchingScreen screen={screen} onStop={onStop} onBlocked={closeReceipt} />
      )
    case 'offered':
      return <OfferScreen key={screen.pair.pair_id} screen={screen} onStop={onStop} />
    case 'preview':
      return <PreviewScreen key={screen.pair.pair_id} screen={screen} onStop={onStop} />
    case 'break':
      return <BreakScreen left={screen.left} onStart={start.onStart} onBlocked={closeReceipt} />
    case 'paused':
      return <PausedScreen screen={screen} />
    case 'after':
      return (
        <ReceiptScreen key={screen.left.receipt.session_id} left={screen.left} onStart={onNext} />
      )
    case 'idle':
      return (
        <main>
          {me.role === 'girl' ? (
            <GirlIdle screen={screen} start={start} />
          ) : (
            <GuyIdle screen={screen} start={start} />
          )}
        </main>
      )
  }
}

/** A visitor who stops returns to the landing page, which is the idle screen of visitors. */
function useLeaving(
  { name }: VideoScreen,
  me: OwnUser | null,
  onLeave: (() => void) | undefined,
): void {
  const wasBusy = useRef(false)
  useEffect(() => {
    if (name === 'loading' || !me) return
    if (name !== 'idle') wasBusy.current = true
    else if (wasBusy.current && !me.is_member) onLeave?.()
  }, [name, me, onLeave])
}

/**
 * As on a new page, a new screen moves the focus to its heading. If a control asks for the focus, the control gets the
 * focus.
 */
function useScreenFocus(name: VideoScreenName): void {
  const before = useRef(name)
  useEffect(() => {
    if (before.current === name) return
    before.current = name
    const active = document.activeElement
    // An element that focused itself, and a field that the user writes in, keep the focus.
    if (active && active !== document.body) return
    document.querySelector<HTMLElement>('h1[tabindex="-1"]')?.focus({ preventScroll: true })
    scrollTo({ top: 0 })
  }, [name])
}
