import { afterEach, expect, test } from 'vitest'
import { canFloat, toggleFloating } from './picture-windows.ts'

afterEach(() => {
  document.body.replaceChildren()
  Reflect.deleteProperty(document, 'pictureInPictureEnabled')
})

test('a picture that safe video covers does not float', () => {
  Object.defineProperty(document, 'pictureInPictureEnabled', { value: true, configurable: true })
  expect(canFloat()).toBe(true)
  document.body.innerHTML = '<div data-safe-cover></div>'
  expect(canFloat()).toBe(false)
})

test('a browser that refuses to float the picture changes nothing', async () => {
  document.body.innerHTML = '<video data-remote-picture></video>'
  Object.defineProperty(document.querySelector('video'), 'requestPictureInPicture', {
    value: () => Promise.reject(new DOMException('no picture', 'InvalidStateError')),
  })
  expect(await toggleFloating()).toBeUndefined()
})
