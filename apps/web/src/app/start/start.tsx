import { startTransition, type ReactNode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { persistence, type Persistence } from '@duet/client'
import { createApplication } from '../application.tsx'
import type { openRuntime } from '../runtime/open-runtime.ts'
import { readyForClicks } from './early-click.ts'
import { FIRST_ROUTE_TEXTS } from './first-route.ts'
import { browserStorage } from '../local-storage.ts'
import { entryParams, readEntryParams } from '../../shared/navigation/entry-params.ts'
import { activate, localeOfPath, setDocumentLanguage, t } from '../../shared/i18n.ts'
import { loadChunk } from '../../shared/lazy-screen.ts'
import type { Locale } from '@duet/protocol/kernel/locales.ts'

/** A screen that fails while it is hydrated is never ready. */
const HYDRATION_LIMIT_MS = 5000

/** The first screen, once the address of the page was read: that empties it, so no attempt does it again. */
export interface FirstScreen {
  /** The page holds this screen already: the application only hydrates it. */
  is_prerendered: boolean
  loadTexts: () => Promise<void>
  /** Resolves when a prerendered screen is hydrated. */
  mount: () => Promise<void>
  /** Gives the screen its connection and its features, before or after it is mounted. */
  run: (open: typeof openRuntime) => void
}

export function prepare(): FirstScreen {
  const storage = persistence(browserStorage())
  readEntryParams(storage)
  const { pseudo } = entryParams()
  const { locale, basename } = localeOfPath(
    location.pathname,
    storage.get('locale'),
    navigator.languages,
  )
  const root = document.getElementById('root')!
  const isPrerendered = canHydrate(root, storage, locale)
  setDocumentLanguage(locale, pseudo === 'mirror' ? 'rtl' : undefined)
  const application = createApplication({ persistence: storage, basename })
  return {
    is_prerendered: isPrerendered,
    loadTexts: () =>
      loadChunk(async () => {
        const change =
          pseudo === 'long' ? (await import('../pseudo-locale.ts')).lengthened : undefined
        await activate(locale, FIRST_ROUTE_TEXTS, change)
        // The first plural loads the rules of the language, which takes a slow phone 50 ms: a task of its own.
        await pause(0)
        t('landing.women_online', { count: 1 })
      }),
    mount: () => mount(root, isPrerendered, application.element),
    run: (open) => application.run(open(storage)),
  }
}

/** The page holds the landing page of a visitor, in the language of the application. */
function canHydrate(root: HTMLElement, storage: Persistence, locale: Locale): boolean {
  return (
    'prerendered' in root.dataset &&
    !storage.get('member') &&
    !entryParams().pseudo &&
    document.documentElement.lang === locale
  )
}

/**
 * A prerendered page keeps its elements, and with them the focus, open questions and the scroll position. As a
 * transition, hydration reacts to touches. A state change before the end of hydration would make hydration one long
 * task.
 */
async function mount(
  root: HTMLElement,
  isPrerendered: boolean,
  application: ReactNode,
): Promise<void> {
  if (isPrerendered) {
    startTransition(() => void hydrateRoot(root, application))
    await Promise.race([readyForClicks, pause(HYDRATION_LIMIT_MS)])
    return
  }
  root.replaceChildren()
  delete root.dataset.prerendered
  createRoot(root).render(application)
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
