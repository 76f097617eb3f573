import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppServicesProvider, type AppServices } from '../app-services.tsx'
import { usePress, type Press } from './use-press.ts'

let root: Root
let shown: Press<[number], string>
let works: { value: number; answer: PromiseWithResolvers<string> }[]
const report = vi.fn()

function Screen({ showsError }: { showsError?: (error: unknown) => string | boolean }) {
  shown = usePress((value: number) => {
    const answer = Promise.withResolvers<string>()
    works.push({ value, answer })
    return answer.promise
  }, showsError)
  return null
}

function render(showsError?: (error: unknown) => string | boolean): void {
  act(() =>
    root.render(
      <AppServicesProvider services={{ report } as unknown as AppServices}>
        <Screen {...(showsError && { showsError })} />
      </AppServicesProvider>,
    ),
  )
}

const fail = (index: number, error: Error) => act(async () => works[index]!.answer.reject(error))

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  report.mockReset()
  works = []
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  vi.unstubAllGlobals()
})

test('a control is busy while its work runs, and the press resolves with the answer', async () => {
  render()
  let pressed: Promise<string | undefined>
  act(() => void (pressed = shown.press(7)))
  expect([shown.busy, shown.running]).toEqual([true, [7]])
  await act(async () => works[0]!.answer.resolve('done'))
  expect([shown.busy, shown.running, await pressed!]).toEqual([false, undefined, 'done'])
})

test('a second press in the same moment does nothing, and a press after the end works again', async () => {
  render()
  const { press } = shown
  await act(async () => {
    void press(1)
    expect(await press(2)).toBeUndefined()
  })
  expect(works.map(({ value }) => value)).toEqual([1])
  await fail(0, new Error('lost'))
  await act(async () => void press(3))
  expect(works.map(({ value }) => value)).toEqual([1, 3])
})

test('an error goes to the error dialog unless the screen shows it', async () => {
  const lost = new Error('lost')
  render()
  act(() => void shown.press(1))
  await fail(0, lost)
  expect(report).toHaveBeenCalledExactlyOnceWith(lost)
  render(() => true)
  act(() => void shown.press(2))
  await fail(1, lost)
  expect(report).toHaveBeenCalledTimes(1)
})

test('the sentence about an error stays until the next press or until it is cleared', async () => {
  render(() => 'The code is wrong.')
  act(() => void shown.press(1))
  await fail(0, new Error('wrong'))
  expect([shown.sentence, shown.busy]).toEqual(['The code is wrong.', false])
  act(() => shown.clear())
  expect(shown.sentence).toBeUndefined()
  act(() => void shown.press(2))
  await fail(1, new Error('wrong'))
  act(() => void shown.press(3))
  expect(shown.sentence).toBeUndefined()
  expect(report).not.toHaveBeenCalled()
})

test('work that fails after its screen is gone is reported', async () => {
  render()
  act(() => void shown.press(1))
  act(() => root.render(null))
  await fail(0, new Error('lost'))
  expect(report).toHaveBeenCalledTimes(1)
})
