import { createRoot } from 'react-dom/client'
import { persistence } from '@duet/client'
import { createApplication } from './app/application.tsx'
import './styles.css'
import { entryParams, readEntryParams } from './shared/entry-params.ts'
import { activate, dressDocument, localeOfPath } from './shared/i18n.ts'
import { browserStorage } from './app/local-storage.ts'
import { loadChunk } from './shared/lazy-screen.ts'

/** Mounts at once: nothing of the network but the language's texts is waited for. */
async function start(): Promise<void> {
  const kept = persistence(browserStorage())
  readEntryParams(kept)
  const { pseudo } = entryParams()
  const { locale, basename } = localeOfPath(
    location.pathname,
    kept.get('locale'),
    navigator.languages,
  )
  dressDocument(locale, pseudo === 'mirror' ? 'rtl' : undefined)
  await loadChunk(async () => {
    const change =
      pseudo === 'long' ? (await import('./app/pseudo-locale.ts')).lengthened : undefined
    await activate(locale, change)
  })
  createRoot(document.getElementById('root')!).render(
    createApplication({ persistence: kept, basename }),
  )
}

void start()
