import { Suspense } from 'react'
import type { Features, PublicSettings } from '@duet/protocol'
import { Footer, type FooterProps } from './footer.tsx'
import { Hero, type HeroProps } from './hero.tsx'
import { LandingBlock } from './landing-block.tsx'
import { TopBar, type TopBarProps } from './top-bar.tsx'
import { TrustStrip } from './trust-strip.tsx'

export type LandingProps = TopBarProps &
  Pick<FooterProps, 'base'> &
  Omit<HeroProps, 'paid_after' | 'women_online_start'> & {
    settings?: PublicSettings | undefined
    /** The features of the installation. Before they are known, the page promises no feature. */
    features?: Features | undefined
  }

/** The page for visitors. It needs no data: the space of counts and prices is reserved. */
export function Landing(props: LandingProps) {
  const {
    path,
    base,
    settings,
    features,
    women_online,
    busy,
    demo,
    onStart,
    onLogin,
    onRegister,
    onLanguage,
  } = props
  const paid_after = settings?.paid_after
  return (
    <div id="top" className="landing scene-glow max-md:pb-28">
      <div className="flex flex-col md:min-h-dvh">
        {/* On a phone the first screen has the picture and the button. The reasons follow. */}
        <div className="flex flex-1 flex-col max-md:min-h-svh">
          <TopBar path={path} onLanguage={onLanguage} onLogin={onLogin} onRegister={onRegister} />
          <main className="contents">
            <Hero
              women_online={women_online}
              women_online_start={settings?.women_online_start}
              paid_after={paid_after}
              features={features}
              busy={busy}
              onStart={onStart}
              demo={demo}
            />
          </main>
        </div>
        <Suspense>
          <TrustStrip paid_after={paid_after} has_payments={features?.payments.on ?? false} />
        </Suspense>
      </div>
      {/* Each part is hydrated in a task of its own, after the first screen. */}
      <div className="bg-bg">
        <Suspense>
          <LandingBlock settings={settings} />
        </Suspense>
        <Suspense>
          <Footer path={path} base={base} onLanguage={onLanguage} />
        </Suspense>
      </div>
    </div>
  )
}
