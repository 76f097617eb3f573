import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { FacePictures } from './face-pictures.tsx'

const [OWN, OTHER] = [
  'a0000000-0000-4000-8000-000000000001',
  'a0000000-0000-4000-8000-000000000002',
]
let root: Root
let page: HTMLElement

const show = async (own: string | null) => {
  const pictures = [
    { user_id: 7, media_id: own },
    { user_id: 8, media_id: OTHER },
  ]
  await act(async () => root.render(<FacePictures pictures={pictures} />))
}

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  page = document.createElement('div')
  root = createRoot(page)
  await show(OWN)
})
afterEach(async () => {
  await act(async () => root.unmount())
  vi.unstubAllGlobals()
})

const images = () => [...page.querySelectorAll('img')]
const press = () => act(async () => page.querySelector('button')!.click())

test('the pictures of both accounts are fetched by a press only, and go with the next', async () => {
  expect(images()).toEqual([])
  await press()
  expect(images().map((image) => image.getAttribute('src'))).toEqual([
    `/api/v2/manager/users/7/pictures/${OWN}/picture`,
    `/api/v2/manager/users/8/pictures/${OTHER}/picture`,
  ])
  await press()
  expect(images()).toEqual([])
})

test('a picture that was deleted meanwhile leaves its place and the other picture', async () => {
  await press()
  await act(async () => images()[0]!.dispatchEvent(new Event('error')))
  expect(images().length).toBe(1)
  expect(page.querySelectorAll('figure').length).toBe(2)
})

test('of a portrait that was deleted before the press, staff read that it is gone', async () => {
  await show(null)
  await press()
  expect(images().map((image) => image.getAttribute('src'))).toEqual([
    `/api/v2/manager/users/8/pictures/${OTHER}/picture`,
  ])
  expect(page.querySelector('figure')!.textContent).toContain(
    'The portrait with this face was deleted',
  )
})
