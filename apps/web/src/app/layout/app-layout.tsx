import { Suspense } from 'react'
import { cx } from '@duet/ui'
import { FrameProvider, useFrame } from '../../shared/frame.tsx'
import { t } from '../../shared/i18n.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import { useAuthStatus } from '../../shared/auth-status.ts'
import { Boundary } from '../errors/boundary.tsx'
import { ModalHost } from '../dialogs/modal-host.tsx'
import { BrokenPage } from '../pages/broken-page.tsx'
import { AppRoutes } from '../routes.tsx'
import { SystemLayer } from '../system/system-layer.tsx'
import { useRouteFocus } from './use-route-focus.ts'

const frame = () => import('./member-frame.tsx')
const HeaderEnd = lazyScreen(frame, (module) => module.HeaderEnd)
const Rail = lazyScreen(frame, (module) => module.Rail)
const TabBar = lazyScreen(frame, (module) => module.TabBar)

const header_end = (
  <Suspense fallback={null}>
    <HeaderEnd />
  </Suspense>
)

/** What is around every page: the way from place to place, dialogs, notices, and what blocks everything. */
export function AppLayout() {
  return (
    <FrameProvider header_end={header_end}>
      <Around />
      <Boundary fallback={null}>
        <ModalHost />
      </Boundary>
      <Boundary fallback={null}>
        <SystemLayer />
      </Boundary>
    </FrameProvider>
  )
}

function Around() {
  const { isImmersive } = useFrame()
  useRouteFocus()
  // The landing page and the law have a bar of their own; in a call there is nothing but the call.
  const isFramed = useAuthStatus() === 'member' && !isImmersive
  return (
    <>
      <a
        href="#page"
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
        <Boundary fallback={<BrokenPage />}>
          <Suspense fallback={<div className="min-h-dvh" />}>
            <AppRoutes />
          </Suspense>
        </Boundary>
      </div>
      <Suspense fallback={null}>{isFramed ? <TabBar /> : null}</Suspense>
    </>
  )
}
