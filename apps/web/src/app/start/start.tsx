import { startTransition, type ReactNode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { persistence, type Persistence } from '@duet/client'
import '../../styles.css'
import { createApplication } from '../application.tsx'
import { FIRST_ROUTE_TEXTS } from './first-route.ts'
import { browserStorage } from '../local-storage.ts'
import { entryParams, readEntryParams } from '../../shared/navigation/entry-params.ts'
import { activate, localeOfPath, setDocumentLanguage } from '../../shared/i18n.ts'
import { loadChunk } from '../../shared/lazy-screen.ts'
import type { Locale } from '@duet/protocol/kernel/locales.ts'

/** The first screen, once the address of the page was read: that empties it, so no attempt does it again. */
export interface FirstScreen {
  /** The only thing that is still loaded from the network. */
  loadTexts: () => Promise<void>
  mount: () => void
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
  return {
    loadTexts: () =>
      loadChunk(async () => {
        const change =
          pseudo === 'long' ? (await import('../pseudo-locale.ts')).lengthened : undefined
        await activate(locale, FIRST_ROUTE_TEXTS, change)
      }),
    mount: () => mount(root, isPrerendered, createApplication({ persistence: storage, basename })),
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
 * A prerendered page keeps its elements, and with them the focus, open questions and the position of the reader. As a
 * transition, hydration leaves time for touches.
 */
function mount(root: HTMLElement, isPrerendered: boolean, application: ReactNode): void {
  if (isPrerendered) {
    startTransition(() => void hydrateRoot(root, application))
    return
  }
  root.replaceChildren()
  delete root.dataset.prerendered
  createRoot(root).render(application)
}
