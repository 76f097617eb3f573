import { Suspense } from 'react'
import { cx } from '@duet/ui'
import { FrameProvider, useFrame } from '../../lib/frame.tsx'
import { t } from '../../lib/i18n.ts'
import { useStanding } from '../../lib/people.ts'
import { ModalHost } from '../modals/modal-host.tsx'
import { AppRoutes } from '../routes.tsx'
import { SystemLayer } from '../system/system-layer.tsx'
import { HeaderEnd } from './header-end.tsx'
import { useArrival } from './arrival.ts'
import { Rail } from './rail.tsx'
import { TabBar } from './tab-bar.tsx'

/** What is around every page: the way from place to place, dialogs, notices, and what blocks everything. */
export function AppLayout() {
  return (
    <FrameProvider header_end={<HeaderEnd />}>
      <Around />
      <ModalHost />
      <SystemLayer />
    </FrameProvider>
  )
}

function Around() {
  const { isImmersive } = useFrame()
  useArrival()
  // The landing page and the law have a bar of their own; in a call there is nothing but the call.
  const isFramed = useStanding() === 'member' && !isImmersive
  return (
    <>
      <a
        href="#page"
        className="ui fixed start-4 top-4 z-tooltip -translate-y-24 rounded-full bg-surface-3 px-5 py-3 focus-visible:translate-y-0"
      >
        {t('app.skip')}
      </a>
      {isFramed ? <Rail /> : null}
      <div id="page" tabIndex={-1} className={cx('outline-none', isFramed && 'max-md:pb-20 md:ps-[84px]')}>
        <Suspense fallback={<div className="min-h-dvh" />}>
          <AppRoutes />
        </Suspense>
      </div>
      {isFramed ? <TabBar /> : null}
    </>
  )
}
