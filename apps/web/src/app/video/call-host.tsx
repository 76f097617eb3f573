import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { CallCard } from '../../features/calls/call-card.tsx'
import type { RunningCall } from '../../features/calls/calls-state.ts'
import { isSearching } from '../../features/matchmaking/matchmaking-state.ts'
import { useWakeLock } from '../../shared/video/use-wake-lock.ts'
import { CallLayer } from '../../features/calls/screen/call-layer.tsx'
import { useAppServices, useSnapshot } from '../../shared/app-services.tsx'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { useBackEntry } from '../../shared/navigation/back-entries.ts'
import { dialogs } from '../../shared/dialogs.ts'
import { useStore } from '../../shared/observable-store.ts'
import { t } from '../../shared/i18n.ts'
import { holdToasts, showToast } from '../../shared/toasts.ts'
import { callScreenShown } from '../../shared/video/call-screen-shown.ts'
import { Boundary } from '../errors/boundary.tsx'
import { Announcer } from './announcer.tsx'
import { RingHost } from './ring-host.tsx'
import { isCall } from './video-screen.ts'
import { useVideoScreen, useVideo, VideoProvider } from './video-context.tsx'
import type { VideoRuntime } from './runtime.ts'
import { videoRuntime } from './video-runtime.ts'
import { Button } from '@duet/ui'

/** The composer of an open dialog is at the card's usual place. */
const WITH_COMPOSER = /^\/messenger\/\d/

/** The running call above the routes: the whole window on `/`, a card on every other page. The layout mounts it once. */
export function CallHost() {
  const video = videoRuntime(useAppServices())
  const { pathname } = useLocation()
  // The notice of a ban stands in the place of every page.
  const isBanned = useSnapshot().auth?.moderation_info !== undefined
  const isCallPage = pathname === '/' && !isBanned
  const navigate = useNavigate()
  const hasCall = useStore(video.calls, ({ call }) => call !== null)
  const isLooking = useStore(video.matchmaking, isSearching)
  useWakeLock(hasCall || isLooking)
  useLeaveSearch(video, isCallPage)
  // A call that the user left without an answer of the server has no receipt yet.
  const isOpen = useStore(video.calls, ({ call, abandoned }) => call !== null || abandoned !== null)
  useEndNotice(isCallPage || isBanned, isOpen)
  const isKnown = useStore(video.me) !== null
  if (!isKnown) return null
  return (
    <VideoProvider video={video}>
      <RunningCallView
        isCallPage={isCallPage}
        onReturn={() => void navigate('/')}
        cardPlace={WITH_COMPOSER.test(pathname) ? 'top' : 'bottom'}
      />
      <BackAsks isCallPage={isCallPage} />
      <RingHost />
    </VideoProvider>
  )
}

/** A search that follows the end of a call or of a ring could not be answered on another page. */
export function useLeaveSearch(
  video: Pick<VideoRuntime, 'calls' | 'matchmaking' | 'leaveSearch'>,
  isCallPage: boolean,
): void {
  const hasCall = useStore(video.calls, ({ call }) => call !== null)
  const rings = useStore(video.matchmaking, ({ ring }) => ring !== null)
  useEffect(() => {
    if (!isCallPage && !hasCall && !rings) video.leaveSearch()
  }, [isCallPage, hasCall, rings, video])
}

/** A call that ends while another page is open has its receipt on the call page. */
function useEndNotice(isCallPage: boolean, isOpen: boolean): void {
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen && !isCallPage)
      showToast({ title: t('video.card.ended'), text: t('video.card.ended_text') })
    wasOpen.current = isOpen
  }, [isOpen, isCallPage])
}

/**
 * The call in the form of the current page. The video element stays mounted from partner to partner and from page to
 * page.
 */
export function RunningCallView({
  isCallPage,
  onReturn,
  cardPlace,
}: {
  isCallPage: boolean
  onReturn: () => void
  cardPlace?: 'bottom' | 'top'
}) {
  const screen = useVideoScreen()
  const { call } = useStore(useVideo().calls)
  const isShown = isCallPage && isCall(screen)
  useEffect(() => {
    callScreenShown.set(isShown)
    holdToasts(isShown)
    return () => {
      callScreenShown.set(false)
      holdToasts(false)
    }
  }, [isShown])
  const broken = call ? <BrokenCall call={call} /> : null
  const resetKey = `${isCallPage} ${call?.session.id}`
  return (
    <>
      <Boundary fallback={isShown ? broken : null} resetKey={resetKey}>
        <CallLayer call={isShown ? screen.call : null} />
      </Boundary>
      <Boundary fallback={isCallPage ? null : broken} resetKey={resetKey}>
        {!isCallPage && call ? (
          <CallCard call={call} onReturn={onReturn} place={cardPlace} />
        ) : null}
      </Boundary>
      <Boundary fallback={null} resetKey={resetKey}>
        <Announcer />
      </Boundary>
    </>
  )
}

/** The page for a guest while the call continues in its card. A guest has no profile page. */
const OPEN_PAGE = '/terms'

/** Back in a call asks before it leaves the call screen. */
function BackAsks({ isCallPage }: { isCallPage: boolean }) {
  const screen = useVideoScreen()
  const call = isCall(screen) ? screen.call : null
  const [isAsking, setAsking] = useState(false)
  const ask = useLeaveQuestion(call)
  const { key: pageKey } = useLocation()
  const sessionId = useStore(useVideo().calls, (state) => state.call?.session.id)
  useEffect(() => closeLeaveQuestion, [sessionId])
  // After "keep" the question counts as open until the page has changed: `navigate` returns before that.
  useEffect(() => setAsking(false), [pageKey])
  useBackEntry(isCallPage && call !== null && call.leaving === null && !isAsking, () => {
    setAsking(true)
    const resume = () => setAsking(false)
    void ask().then((isLeaving) => (isLeaving ? undefined : resume()), resume)
  })
  return null
}

/** The question is about one call. When this call ends, the question closes. */
function closeLeaveQuestion(): void {
  const question = dialogs.getSnapshot().find(({ name }) => name === 'leave_call')
  if (question) dialogs.close(question.key)
}

/** Asks the user and carries out the answer. If another page follows, resolves to true. */
function useLeaveQuestion(call: RunningCall | null): () => Promise<boolean> {
  const video = useVideo()
  const navigate = useNavigate()
  const isMember = useAuthStatus() === 'member'
  return useCallback(async () => {
    if (!call) return false
    const { id, user_interlocutor } = call.session
    const nick = user_interlocutor.nick
    const answer = await dialogs.ask('leave_call', { nick })
    if (answer === 'end')
      await video.callCommands.leave(video.me.getSnapshot()?.role === 'girl' ? 'break' : 'end', id)
    if (answer !== 'keep') return false
    await (hasPageBefore() ? navigate(-1) : navigate(isMember ? '/profile' : OPEN_PAGE))
    return true
  }, [call, video, navigate, isMember])
}

/** React Router numbers its entries. No entry precedes the first page of this tab. */
function hasPageBefore(): boolean {
  const { idx = 0 } = (history.state ?? {}) as { idx?: number }
  return idx > 0
}

/** Replaces a call screen or card that failed. The call continues, so the user must be able to end the call. */
function BrokenCall({ call }: { call: RunningCall }) {
  const { callCommands, me } = useVideo()
  const end = () =>
    callCommands.leave(me.getSnapshot()?.role === 'girl' ? 'break' : 'end', call.session.id)
  return (
    <aside
      role="alert"
      data-theme="dark"
      className="panel fixed inset-x-3 bottom-[calc(76px+env(safe-area-inset-bottom))] z-sticky mx-auto flex max-w-[360px] flex-col gap-3 rounded-row! bg-surface-1 p-4 text-text"
    >
      <p className="ui">{t('video.card.broken', { nick: call.session.user_interlocutor.nick })}</p>
      <div className="flex gap-2.5">
        <Button
          variant="primary"
          busy={call.leaving !== null && !call.is_leave_stuck}
          onClick={() => void end()}
        >
          {t('action.end_call')}
        </Button>
        <Button onClick={() => location.reload()}>{t('system.reload')}</Button>
      </div>
    </aside>
  )
}
