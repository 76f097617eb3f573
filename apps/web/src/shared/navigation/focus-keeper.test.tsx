import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { act, useRef, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { useFocusKeeper } from './focus-keeper.ts'

let root: Root
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const page = document.createElement('div')
  document.body.append(page)
  root = createRoot(page)
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  vi.unstubAllGlobals()
})

function Rows() {
  const area = useRef<HTMLDivElement>(null)
  const [rows, setRows] = useState(['first', 'second', 'third'])
  const [isDisabled, setDisabled] = useState(false)
  useFocusKeeper(area)
  return (
    <div ref={area}>
      <section>
        {rows.map((row) => (
          <button key={row} onClick={() => setRows(rows.filter((one) => one !== row))}>
            {row}
          </button>
        ))}
      </section>
      <section>
        <button disabled={isDisabled} onClick={() => setDisabled(true)}>
          earlier
        </button>
        <button>later</button>
      </section>
    </div>
  )
}

const button = (text: string) =>
  [...document.querySelectorAll('button')].find((one) => one.textContent === text)!
async function press(text: string): Promise<void> {
  await act(async () => {
    button(text).focus()
    button(text).click()
  })
  await act(async () => {})
}
const focused = () => document.activeElement?.textContent

test('a row that goes passes the focus on to the one in its place, the last one to the one before', async () => {
  await act(async () => root.render(<Rows />))
  await press('second')
  expect(focused()).toBe('third')
  await press('third')
  expect(focused()).toBe('first')
})

test('the last row that goes leaves the focus on its section', async () => {
  await act(async () => root.render(<Rows />))
  for (const row of ['first', 'second', 'third']) await press(row)
  expect(document.activeElement).toBe(document.querySelector('section'))
})

test('a control that its press disables passes the focus on to the next', async () => {
  await act(async () => root.render(<Rows />))
  await press('earlier')
  expect(focused()).toBe('later')
})

test('a row that goes while the focus is elsewhere moves nothing', async () => {
  await act(async () => root.render(<Rows />))
  await act(async () => button('later').focus())
  await act(async () => button('second').click())
  expect(focused()).toBe('later')
  await act(async () => button('later').blur())
  await act(async () => button('first').click())
  expect(document.activeElement).toBe(document.body)
})
