import { useState } from 'react'
import { DirectionProvider } from '@base-ui/react/direction-provider'
import { Segment } from '../src/controls/segment.tsx'
import { Brand } from './brand.tsx'
import { Controls } from './controls.tsx'
import { Feedback } from './feedback.tsx'
import { Fields } from './fields.tsx'
import { Figures } from './figures.tsx'
import { Overlays } from './overlays.tsx'
import { People } from './people.tsx'
import { createToasts, ToastRegion, type Toasts } from '../src/overlays/toast.tsx'

type Theme = 'dark' | 'light'
type Direction = 'ltr' | 'rtl'
type Shown<T> = T | 'both'

const every = <T extends string>(shown: Shown<T>, both: T[]) => (shown === 'both' ? both : [shown])

/** Every component in every state, in one pane for each theme and direction that is chosen. A page for developers, not for visitors. */
export function Gallery() {
  const [theme, setTheme] = useState<Shown<Theme>>('both')
  const [direction, setDirection] = useState<Shown<Direction>>('both')
  const [toasts] = useState(createToasts)
  const panes = every(direction, ['ltr', 'rtl']).flatMap((dir) =>
    every(theme, ['dark', 'light']).map((paneTheme) => ({ dir, theme: paneTheme })),
  )
  return (
    <main className="min-h-dvh bg-bg text-text">
      <h1 className="sr-only">Components</h1>
      <div className="sticky top-0 z-sticky flex flex-wrap gap-3 bg-bg p-4">
        <Segment
          label="Theme"
          value={theme}
          onChange={setTheme}
          options={[
            { value: 'dark', label: 'Dark' },
            { value: 'light', label: 'Light' },
            { value: 'both', label: 'Both' },
          ]}
        />
        <Segment
          label="Direction"
          value={direction}
          onChange={setDirection}
          options={[
            { value: 'ltr', label: 'LTR' },
            { value: 'rtl', label: 'RTL' },
            { value: 'both', label: 'Both' },
          ]}
        />
      </div>
      {panes.map((pane) => (
        <Pane key={`${pane.theme}-${pane.dir}`} toasts={toasts} {...pane} />
      ))}
      <ToastRegion toasts={toasts} label="News" closeLabel="Close" />
    </main>
  )
}

function Pane({ theme, dir, toasts }: { theme: Theme; dir: Direction; toasts: Toasts }) {
  return (
    <DirectionProvider direction={dir}>
      <section
        data-theme={theme}
        dir={dir}
        lang={dir === 'rtl' ? 'ar' : 'en'}
        aria-label={`${theme} ${dir}`}
        className="gap-x-14 bg-bg p-4 md:p-12 lg:columns-2"
      >
        <Brand />
        <Controls />
        <Fields />
        <People />
        <Figures />
        <Feedback />
        <Overlays toasts={toasts} />
      </section>
    </DirectionProvider>
  )
}
