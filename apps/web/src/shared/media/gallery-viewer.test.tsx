import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import type { Media } from '@duet/protocol'
import { activate, loadTexts } from '../i18n.ts'
import { GalleryViewer } from './gallery-viewer.tsx'
import { samplePhoto } from './sample-photo.ts'

let root: Root

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  await activate('en')
  await loadTexts('media')
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

const item = (id: string, change: Partial<Media> = {}) =>
  samplePhoto({ id, url: `/media/${id}`, ...change })

function Gallery({ list }: { list: readonly Media[] }) {
  const [shown, show] = useState<number | undefined>(0)
  return <GalleryViewer list={list} shown={shown} onShow={show} />
}

const show = (...list: Media[]) => act(async () => root.render(<Gallery list={list} />))
const zoom = () => document.querySelector<HTMLElement>('[data-zoom]')?.dataset.zoom
const address = () => document.querySelector('[role=dialog] img')?.getAttribute('src')
const press = (key: string) =>
  act(
    async () =>
      void document
        .querySelector('[role=dialog]')!
        .dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })),
  )

test('a photo of a gallery is enlarged, and the next one is shown whole', async () => {
  await show(item('a'), item('b'))
  await press('+')
  expect([address(), zoom()]).toEqual(['/media/a', '1.50'])
  // The arrows move an enlarged photo.
  await press('ArrowRight')
  expect(address()).toBe('/media/a')
  await press('0')
  await press('ArrowRight')
  expect([address(), zoom()]).toEqual(['/media/b', '1.00'])
})

test('a locked photo and a video are not enlarged', async () => {
  await show(item('a', { locked: true }))
  expect(zoom()).toBeUndefined()
  await show(item('b', { kind: 'video' }))
  expect(document.querySelector('video')).not.toBeNull()
  expect(zoom()).toBeUndefined()
})

test('after the viewer the focus is on the item that was seen last', async () => {
  const list = [item('a'), item('b')]
  await act(async () =>
    root.render(
      <>
        {list.map(({ id }) => (
          <button key={id} type="button" data-media={id} />
        ))}
        <Gallery list={list} />
      </>,
    ),
  )
  await press('ArrowRight')
  expect(address()).toBe('/media/b')
  await press('Escape')
  await vi.waitFor(() =>
    expect((document.activeElement as HTMLElement | null)?.dataset.media).toBe('b'),
  )
})
