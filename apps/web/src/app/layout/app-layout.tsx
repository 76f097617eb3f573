import { Suspense, useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { cx, buttonLook } from '@duet/ui'
import { FrameProvider, useFrame } from '../../shared/frame.tsx'
import { t } from '../../shared/i18n.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import { useSnapshot, useAppServices } from '../../shared/app-services.tsx'
import { setPageTitle } from '../../shared/navigation/page-title.ts'
import { useStore } from '../../shared/observable-store.ts'
import { videoInUse } from '../../shared/video/video-in-use.ts'
import { useAuthStatus } from '../../shared/account/auth-status.ts'
import { Boundary } from '../errors/boundary.tsx'
import { Home } from '../pages/home.tsx'
import { useRuntime } from '../runtime/runtime-context.ts'
import { SystemLayer } from '../system/system-layer.tsx'

/** The frame and its navigation entries, which are loaded for members only. */
async function loadFrame() {
  const frame = import('./member-frame.tsx')
  const { loadNavItems } = await import('./nav-items.ts')
  await loadNavItems()
  return frame
}
const HeaderEnd = lazyScreen(loadFrame, (module) => module.HeaderEnd)
const Rail = lazyScreen(loadFrame, (module) => module.Rail)
const TabBar = lazyScreen(loadFrame, (module) => module.TabBar)

const BannedPage = lazyScreen(
  () => import('../pages/banned-page.tsx'),
  (module) => module.BannedPage,
)

const headerEnd = (
  <Suspense fallback={null}>
    <HeaderEnd />
  </Suspense>
)

/** The call and the question before it is left, which must open without a connection, too. */
async function loadCall() {
  const host = import('../video/index.ts')
  const { loadLeaveDialog } = await import('../../features/calls/feature.ts')
  await loadLeaveDialog()
  return host
}

const CallHost = lazyScreen(loadCall, (module) => module.CallHost)

/** The frame around every page: navigation, dialogs, notices, and the dialogs that block the page. */
export function AppLayout() {
  // A part that could not be loaded is tried again when the connection is back.
  const { phase } = useSnapshot()
  const DialogHost = useRuntime()?.screens.DialogHost
  return (
    <FrameProvider header_end={headerEnd}>
      <PageWithFrame />
      <CallAboveRoutes />
      {DialogHost ? <DialogHost /> : null}
      <Boundary fallback={null} resetKey={phase}>
        <SystemLayer />
      </Boundary>
    </FrameProvider>
  )
}

/** The call belongs to the layout, so that no navigation hides it. It loads with the first search, or with a call that rings or runs. */
function CallAboveRoutes() {
  const { auth, phase } = useSnapshot()
  const hasSession = auth?.active_session !== undefined
  const isInUse = useStore(videoInUse)
  const hasRing = auth?.search?.pair?.kind === 'direct'
  useEffect(() => {
    if (hasSession || hasRing) videoInUse.set(true)
  }, [hasSession, hasRing])
  if (!isInUse) return null
  return (
    <Boundary fallback={null} resetKey={phase}>
      <Suspense fallback={null}>
        <CallHost />
      </Suspense>
    </Boundary>
  )
}

function PageWithFrame() {
  const { isImmersive } = useFrame()
  const { pathname } = useLocation()
  const { auth, phase } = useSnapshot()
  const isBanned = auth?.moderation_info !== undefined
  useRouteFocus()
  useWantedScreen()
  // The landing and legal pages have a bar of their own. A call has no frame.
  const isFramed = useAuthStatus() === 'member' && !isImmersive && !isBanned
  return (
    <>
      <a
        href="#page"
        // The fragment belongs to the pages: some read it as their step or section.
        onClick={(event) => {
          event.preventDefault()
          document.getElementById('page')?.focus()
        }}
        className="ui fixed start-4 top-4 z-tooltip -translate-y-24 rounded-full bg-surface-3 px-5 py-3 focus-visible:translate-y-0"
      >
        {t('app.skip')}
      </a>
      <Suspense fallback={null}>{isFramed ? <Rail /> : null}</Suspense>
      <div
        id="page"
        tabIndex={-1}
        className={cx('outline-none', isFramed && 'max-md:pb-20 md:ps-[84px]')}
      >
        <Boundary fallback={<BrokenPage />} resetKey={`${pathname} ${phase} ${isBanned}`}>
          <Suspense fallback={BLANK_PAGE}>
            <Page />
          </Suspense>
        </Boundary>
      </div>
      <Suspense fallback={null}>{isFramed ? <TabBar /> : null}</Suspense>
    </>
  )
}

const BLANK_PAGE = <div className="min-h-dvh" />

/** The addresses of mails and of the law stay open. */
const OPEN_TO_BANNED = /^\/(terms|privacy|report|unsubscribe)\b/

/** The page of the address. Only `/` is shown without the runtime, in which the features have their pages. */
function Page() {
  const { pathname } = useLocation()
  const FeaturePages = useRuntime()?.screens.FeaturePages
  const ban = useSnapshot().auth?.moderation_info
  if (ban && !OPEN_TO_BANNED.test(pathname)) return <BannedPage info={ban} />
  if (pathname === '/') return <Home />
  return FeaturePages ? <FeaturePages /> : BLANK_PAGE
}

/**
 * After each navigation the page is at the top, and the tab of the browser has the name of the page. The element with `data-route-focus` has the focus. A page without such
 * an element gives the focus to its heading, so that screen readers announce the heading.
 */
export function useRouteFocus(): void {
  const { pathname } = useLocation()
  const last = useRef(pathname)
  useEffect(() => {
    const isFirst = last.current === pathname
    last.current = pathname
    const isHome = pathname === '/'
    // The landing page has a title of its own.
    if (isFirst && isHome) return
    if (isHome) setPageTitle('', t('app.name'))
    if (!isFirst) scrollTo(0, 0)
    return followHeading((page) => {
      const heading = page.querySelector('h1') ?? page.querySelector('h2')
      if (heading && !isHome) setPageTitle(heading.textContent, t('app.name'))
      return isFirst ? heading !== null : focusHeading(page)
    })
  }, [pathname])
}

function focusHeading(page: HTMLElement): boolean {
  const heading = page.querySelector<HTMLElement>('[data-route-focus]') ?? page.querySelector('h1')
  heading?.focus({ preventScroll: true })
  return Boolean(heading)
}

/** While the page is loading, waits for its heading. */
function followHeading(take: (page: HTMLElement) => boolean): () => void {
  const page = document.getElementById('page')
  if (!page || take(page)) return () => {}
  const watcher = new MutationObserver(() => take(page) && watcher.disconnect())
  watcher.observe(page, { childList: true, subtree: true })
  return () => watcher.disconnect()
}

/** The screens that the parameter `to-screen` of an entry link names. */
const SCREENS = { verify: '/profile/#verification' } as const

/** Leads a member to the screen that an entry link asked for: at once, or after the login or registration. */
function useWantedScreen(): void {
  const { persistence } = useAppServices()
  const status = useAuthStatus()
  const navigate = useNavigate()
  useEffect(() => {
    const wanted = persistence.get('to_screen')
    if (status !== 'member' || !wanted) return
    persistence.set('to_screen', undefined)
    const screen = SCREENS[wanted]
    if (screen) void navigate(screen)
  }, [status, persistence, navigate])
}

/** Shown when a screen failed. It uses nothing that could fail as well. */
function BrokenPage() {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-5 text-center">
      <h1 tabIndex={-1} className="display-l">
        {t('error.title.undefined')}
      </h1>
      <p className="body mt-3 text-text-2">{t('system.broken_text')}</p>
      <button
        type="button"
        onClick={() => location.reload()}
        className={`${buttonLook({ variant: 'primary', size: 54 })} mt-8`}
      >
        {t('system.reload')}
      </button>
    </main>
  )
}
