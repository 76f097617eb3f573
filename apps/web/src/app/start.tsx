import { createRoot } from 'react-dom/client'
import { persistence } from '@duet/client'
import { createApplication } from './app/application.tsx'
import './styles.css'
import { FIRST_ROUTE_TEXTS } from './app/first-route.ts'
import { browserStorage } from './app/local-storage.ts'
import { entryParams, readEntryParams } from './shared/navigation/entry-params.ts'
import { activate, localeOfPath, setDocumentLanguage } from './shared/i18n.ts'
import { loadChunk } from './shared/lazy-screen.ts'

/** Mounts at once: the only thing it loads from the network first is the texts of the first route. */
async function start(): Promise<void> {
  const storage = persistence(browserStorage())
  readEntryParams(storage)
  const { pseudo } = entryParams()
  const { locale, basename } = localeOfPath(
    location.pathname,
    storage.get('locale'),
    navigator.languages,
  )
  setDocumentLanguage(locale, pseudo === 'mirror' ? 'rtl' : undefined)
  await loadChunk(async () => {
    const change =
      pseudo === 'long' ? (await import('./app/pseudo-locale.ts')).lengthened : undefined
    await activate(locale, FIRST_ROUTE_TEXTS, change)
  })
  createRoot(document.getElementById('root')!).render(
    createApplication({ persistence: storage, basename }),
  )
}

void start()
