import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DataTable } from './data-table.tsx'
import type { TableColumn } from './table-column.ts'

interface Person {
  readonly id: number
}

const people: Person[] = Array.from({ length: 2000 }, (_, at) => ({ id: at + 1 }))
const columns: TableColumn<Person>[] = [
  {
    key: 'name',
    header: 'Name',
    width: 200,
    mobile: 'main',
    cell: ({ id }) => (
      <>
        <button type="button">Filter</button>
        <a data-open href={`#${id}`}>
          Person {id}
        </a>
      </>
    ),
  },
  { key: 'state', header: 'State', cell: () => 'active' },
]

let root: Root

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  localStorage.clear()
  // Without a layout nothing is seen: the list is as high as twelve rows, and a column 150 wide.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(444)
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(2000 * 37)
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(37)
  vi.spyOn(HTMLElement.prototype, 'offsetWidth', 'get').mockReturnValue(150)
  vi.spyOn(HTMLElement.prototype, 'scrollTo').mockImplementation(function (
    this: HTMLElement,
    to?: ScrollToOptions | number,
  ) {
    this.scrollTop = (to as ScrollToOptions).top!
    this.dispatchEvent(new Event('scroll'))
  })
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.documentElement.dir = ''
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function draw(): Promise<void> {
  const place = document.createElement('div')
  document.body.replaceChildren(place)
  root = createRoot(place)
  await act(async () =>
    root.render(
      <DataTable<Person>
        hasKeys
        name="people"
        label="People"
        rowKey={({ id }) => id}
        rows={people}
        columns={columns}
      />,
    ),
  )
}

const one = (selector: string) => document.querySelector<HTMLElement>(selector)!
const handle = () => one('[role=separator]')
const widths = () => [...document.querySelectorAll('col')].map(({ style }) => style.width)
const pressKey = (target: EventTarget, key: string) =>
  act(async () => {
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    await new Promise((done) => requestAnimationFrame(done))
  })

test('of two thousand rows only those near to what is seen are drawn', async () => {
  await draw()
  const rows = document.querySelectorAll('tbody tr[data-index]')
  expect(rows.length).toBeGreaterThan(11)
  expect(rows.length).toBeLessThan(60)
  expect(one('table').getAttribute('aria-rowcount')).toBe('2001')
  expect(rows[0]!.getAttribute('aria-rowindex')).toBe('2')
  expect(document.body.textContent).not.toContain('Person 2000')
})

test('the arrow keys resize a column, and the next visit has its width', async () => {
  await draw()
  expect(widths()[0]).toMatch(/%$/)
  await pressKey(handle(), 'ArrowRight')
  expect(widths()).toEqual(['166px', '150px'])
  await pressKey(handle(), 'ArrowLeft')
  await pressKey(handle(), 'ArrowLeft')
  expect(widths()).toEqual(['134px', '150px'])
  expect(handle().getAttribute('aria-valuenow')).toBe('134')
  await act(async () => root.unmount())
  await draw()
  expect(widths()).toEqual(['134px', '150px'])
  await pressKey(handle(), 'Home')
  expect([widths()[0]!.endsWith('%'), localStorage.length]).toEqual([true, 0])
})

test('from right to left the left arrow widens a column', async () => {
  document.documentElement.dir = 'rtl'
  await draw()
  await pressKey(handle(), 'ArrowLeft')
  expect(widths()).toEqual(['166px', '150px'])
})

test('a width that no table wrote changes nothing', async () => {
  localStorage.setItem('duet.office.widths.people', '{"name":"wide","state":null')
  await draw()
  expect(widths()[0]).toMatch(/%$/)
})

test('J and K move through the rows by the control that opens each', async () => {
  await draw()
  const focused = () => document.activeElement?.textContent
  await pressKey(document.body, 'j')
  expect(focused()).toBe('Person 1')
  await pressKey(document.activeElement!, 'j')
  await pressKey(document.activeElement!, 'j')
  expect(focused()).toBe('Person 3')
  await pressKey(document.activeElement!, 'k')
  expect(focused()).toBe('Person 2')
})

async function scrollTo(top: number): Promise<void> {
  const list = one('[role=group]')
  await act(async () => {
    list.scrollTo({ top })
    await new Promise((done) => requestAnimationFrame(done))
  })
}

test('J begins at the first row that is seen, and after a scroll at the row that was marked', async () => {
  const seen = 1000 * 37
  await draw()
  await scrollTo(seen)
  await pressKey(document.body, 'j')
  expect(document.activeElement?.textContent).toBe('Person 1001')
  await pressKey(document.activeElement!, 'j')
  expect(document.activeElement?.textContent).toBe('Person 1002')
  await scrollTo(0)
  expect(document.activeElement).toBe(document.body)
  await pressKey(document.body, 'j')
  expect(document.activeElement?.textContent).toBe('Person 1003')
  await act(async () => document.body.dispatchEvent(new Event('pointerdown', { bubbles: true })))
  await scrollTo(0)
  await pressKey(document.body, 'k')
  expect(document.activeElement?.textContent).toBe('Person 1')
})

test('a row that nothing opens gets the focus itself, and none of its other controls', async () => {
  await draw()
  for (const link of document.querySelectorAll('[data-open]')) link.removeAttribute('data-open')
  await pressKey(document.body, 'j')
  expect(document.activeElement?.getAttribute('data-index')).toBe('0')
})

test('on a phone the rows are items, of which few are drawn too', async () => {
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
  await draw()
  const items = document.querySelectorAll('li')
  expect(items.length).toBeGreaterThan(6)
  expect(items.length).toBeLessThan(60)
  expect(items[0]!.getAttribute('aria-setsize')).toBe('2000')
  expect(items[0]!.textContent).toBe('FilterPerson 1')
})
