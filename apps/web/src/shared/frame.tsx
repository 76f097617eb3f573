import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'

interface Frame {
  /** Rail, tab bar, landing block and footer are hidden: from search to receipt. */
  readonly isImmersive: boolean
  readonly setImmersive: (on: boolean) => void
  /** The end of every header: wallet, own menu. */
  readonly header_end: ReactNode
}

const FrameContext = createContext<Frame>({
  isImmersive: false,
  setImmersive: () => {},
  header_end: null,
})

export function FrameProvider({
  header_end,
  children,
}: {
  header_end: ReactNode
  children: ReactNode
}) {
  const [isImmersive, setImmersive] = useState(false)
  const frame = useMemo(
    () => ({ isImmersive, setImmersive, header_end }),
    [isImmersive, header_end],
  )
  return <FrameContext value={frame}>{children}</FrameContext>
}

export function useFrame(): Frame {
  return use(FrameContext)
}

/** Hides everything around the screen while `on`: searching, offered, in a call, receipt. */
export function useImmersive(on: boolean): void {
  const { setImmersive } = use(FrameContext)
  useEffect(() => {
    setImmersive(on)
    return () => setImmersive(false)
  }, [on, setImmersive])
}

export interface PageFrameProps {
  /** The only h1 of the page. */
  title: ReactNode
  /** The title is for screen readers only, for a screen that needs no visible title. */
  titleHidden?: boolean
  /** Page controls between the title and the wallet. */
  controls?: ReactNode
  children: ReactNode
}

/** The header and the content of a page beside the rail, inside a `main`. Calls fill the window without this frame. */
export function PageFrame({ title, titleHidden, controls, children }: PageFrameProps) {
  const { header_end } = useFrame()
  return (
    <div className="mx-auto flex w-full max-w-[1440px] flex-col gap-6 px-4 pt-4 pb-8 md:px-9 md:pt-6">
      {/* Beside a long title on a phone the controls get a line of their own. */}
      <header className="flex min-h-11 flex-wrap items-center justify-end gap-x-4 gap-y-3">
        <h1 tabIndex={-1} className={titleHidden ? 'sr-only' : 'display-m min-w-0 grow'}>
          {title}
        </h1>
        {titleHidden ? <span className="flex-1" /> : null}
        {controls}
        {header_end}
      </header>
      {children}
    </div>
  )
}
