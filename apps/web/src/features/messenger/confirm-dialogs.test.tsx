import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { CleanDialog, DeleteDialog } from './confirm-dialogs.tsx'

let root: Root

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  vi.useFakeTimers()
  await activate('en')
  await loadTexts('messenger')
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  ['Clear', CleanDialog],
  ['Delete', DeleteDialog],
])('%s can be pressed after three seconds', async (name, Question) => {
  const answers: unknown[] = []
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
  await act(async () =>
    root.render(
      <Question open close={(answer) => void answers.push(answer)} input={{ nick: 'Mira' }} />,
    ),
  )
  const press = () =>
    act(async () =>
      [...document.querySelectorAll('button')]
        .find((one) => one.textContent.startsWith(`${name} in`))!
        .click(),
    )
  await press()
  expect(answers).toEqual([])
  for (let second = 0; second < 3; second += 1) await act(async () => vi.advanceTimersByTime(1000))
  await press()
  expect(answers).toEqual([true])
})
