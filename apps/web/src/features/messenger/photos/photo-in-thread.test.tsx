import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import type { ClientConnection } from '@duet/client'
import type { Media } from '@duet/protocol'
import { AppServicesProvider, type AppServices } from '../../../shared/app-services.tsx'
import { activate, loadTexts } from '../../../shared/i18n.ts'
import { samplePhoto } from '../../../shared/media/sample-photo.ts'
import { PhotoInThread } from './photo-in-thread.tsx'

const photo = samplePhoto({ width: 800 })
const snapshot = { phase: 'ready', auth: { user: { id: 1, age_confirmed: true } } }
const connection = { getSnapshot: () => snapshot, subscribe: () => () => {} }
const services = {
  connection: connection as unknown as ClientConnection,
  report() {},
} as unknown as AppServices
let root: Root

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('messenger')
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

async function shown(media: Media): Promise<HTMLImageElement> {
  await act(async () =>
    root.render(
      <AppServicesProvider services={services}>
        <PhotoInThread media={media} is_own={false} />
      </AppServicesProvider>,
    ),
  )
  return document.querySelector('img')!
}

test('a photo gives its widths and the width at which it is shown', async () => {
  const variants = [
    { width: 480, url: '/media/x/card' },
    { width: 800, url: '/media/x/full' },
  ]
  const image = await shown({ ...photo, variants })
  expect(image.srcset).toBe('/media/x/card 480w, /media/x/full 800w')
  expect(image.sizes).toBe('640px')
})

test('a photo without widths has its one address', async () => {
  const image = await shown(photo)
  expect(image.getAttribute('src')).toBe('/media/x/full')
  expect([image.hasAttribute('srcset'), image.hasAttribute('sizes')]).toEqual([false, false])
})
