import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { activate, loadTexts, t } from '../../shared/i18n.ts'
import { SelfieCamera } from './selfie-camera.tsx'

let root: Root
let answerQuestion: (stream: MediaStream) => void
const stopped = vi.fn()
const track = { stop: stopped, onended: () => {} }
const stream = { getTracks: () => [track] } as unknown as MediaStream

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  stopped.mockReset()
  const { promise, resolve } = Promise.withResolvers<MediaStream>()
  answerQuestion = resolve
  Object.defineProperty(navigator, 'mediaDevices', {
    value: { getUserMedia: () => promise },
    configurable: true,
  })
  const srcObject = { value: null, writable: true, configurable: true }
  Object.defineProperty(HTMLMediaElement.prototype, 'srcObject', srcObject)
  vi.spyOn(HTMLMediaElement.prototype, 'play').mockImplementation(async () => {})
  await activate('en')
  await loadTexts('verification')
  root = createRoot(document.body.appendChild(document.createElement('div')))
  await act(async () =>
    root.render(<SelfieCamera picture={null} onPicture={() => {}} fallback="a file" />),
  )
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const press = (text: string) =>
  act(async () =>
    [...document.querySelectorAll('button')].find((one) => one.textContent === text)!.click(),
  )
const shown = () => document.body.textContent

test('a file that is chosen while the browser still asks ends the camera, and refuses nothing', async () => {
  await press(t('verification.open_camera'))
  await press(t('verification.choose'))
  await act(async () => answerQuestion(stream))
  expect(stopped).toHaveBeenCalledOnce()
  expect(shown()).toContain('a file')
  expect(shown()).not.toContain(t('verification.camera_refused'))
})

test('a picture that cannot be taken says so and the camera can be opened again', async () => {
  HTMLCanvasElement.prototype.getContext = () => null
  await press(t('verification.open_camera'))
  await act(async () => answerQuestion(stream))
  await press(t('verification.take'))
  expect(shown()).toContain(t('verification.camera_failed'))
  expect(shown()).toContain(t('verification.open_camera'))
})

test('a camera that a phone call takes can be opened again', async () => {
  await press(t('verification.open_camera'))
  await act(async () => answerQuestion(stream))
  await act(async () => track.onended())
  expect(shown()).toContain(t('verification.camera_failed'))
  expect(shown()).toContain(t('verification.open_camera'))
})
