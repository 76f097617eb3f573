import { Suspense } from 'react'
import { Footer, LandingBlock } from '../../features/landing/index.ts'
import { lazyScreen } from '../../shared/lazy-screen.ts'
import { useFrame } from '../../shared/frame.tsx'
import { useSettings } from '../../shared/queries.ts'
import { useAddress } from '../address.ts'

const VideoHome = lazyScreen(
  () => import('../video/index.ts'),
  (module) => module.VideoHome,
)

/** The call screens, and the landing block below the idle screen. */
export function MemberHome(props: { starts_at_once: boolean; onLeave: () => void }) {
  const { isImmersive } = useFrame()
  const settings = useSettings()
  const address = useAddress()
  return (
    <>
      <Suspense fallback={<div className="min-h-dvh" />}>
        <VideoHome {...props} />
      </Suspense>
      {isImmersive ? null : (
        <>
          <LandingBlock settings={settings} />
          <Footer {...address} />
        </>
      )}
    </>
  )
}
