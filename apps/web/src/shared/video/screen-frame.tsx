import type { ReactNode } from 'react'
import { cx, Mark, PetalPair, Wordmark, type PetalPairProps } from '@duet/ui'
import { useFrame } from '../frame.tsx'
import { t } from '../i18n.ts'

/** The frame of a screen that fills the window: the logo at the start, the balance and another control at the end. */
export function ScreenFrame({ end, children }: { end?: ReactNode; children: ReactNode }) {
  const { header_end } = useFrame()
  return (
    <div
      data-theme="dark"
      className="scene-glow flex min-h-dvh flex-col [--ember-x:28%] [--moon-x:78%]"
    >
      <header className="flex min-h-16 items-center gap-3 px-4 pt-3 md:px-10 md:pt-5">
        {/* On a phone the balance and the controls need the width of the name. */}
        <Mark size={30} label={t('app.name')} className="md:hidden" />
        <Wordmark name={t('app.name')} size={30} className="max-md:hidden!" />
        <span className="flex-1" />
        {header_end}
        {end}
      </header>
      {children}
    </div>
  )
}

export interface MessageScreenProps {
  pair: Pick<PetalPairProps, 'hers' | 'yours'> & Partial<PetalPairProps>
  title: ReactNode
  text?: ReactNode
  /** Between the text and the actions. */
  children?: ReactNode
  actions: ReactNode
  end?: ReactNode
}

/**
 * Two petals, a sentence and the actions, from top to bottom in the middle. On a phone the actions are in reach of a
 * thumb.
 */
export function MessageScreen({ pair, title, text, children, actions, end }: MessageScreenProps) {
  return (
    <ScreenFrame end={end}>
      <main className="flex flex-1 flex-col px-5 pb-[max(24px,env(safe-area-inset-bottom))] md:items-center md:justify-center md:pb-16 md:text-center">
        <div className="flex flex-1 items-center max-md:min-h-0 max-md:py-6 md:flex-none md:pb-10">
          <PetalPair
            layout="search"
            overlap="ring"
            {...pair}
            className="w-full max-w-[300px] md:w-[400px] md:max-w-none"
          />
        </div>
        <h1 tabIndex={-1} className="display-m outline-none md:text-balance">
          {title}
        </h1>
        {text ? <p className="body mt-2 max-w-[46ch] text-text-2">{text}</p> : null}
        {children}
        <div className={cx('mt-6 flex flex-col gap-2.5 md:w-[340px]')}>{actions}</div>
      </main>
    </ScreenFrame>
  )
}
