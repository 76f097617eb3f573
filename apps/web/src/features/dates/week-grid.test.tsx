import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { activate, loadTexts } from '../../shared/i18n.ts'
import { WeekGrid } from './week-grid.tsx'
import { moveFrom, toWeeks } from './weeks.ts'

const ZONE = 'Europe/Berlin'
const at = (time: string) => Date.parse(`2027-${time}Z`)
/** Monday has three beginnings, Wednesday one, and the Monday after one. */
const STARTS = ['06-07T08:00', '06-07T08:30', '06-07T18:00', '06-09T17:30', '06-14T08:00'].map(at)
const WEEKS = toWeeks(STARTS, ZONE, '2027-06-06')

test('weeks begin with the first day, have a row for each time, and are left out without a time', () => {
  expect(WEEKS.map(({ days }) => days[0])).toEqual(['2027-06-06', '2027-06-13'])
  expect(WEEKS[0]!.rows.map(({ minute }) => minute)).toEqual([600, 630, 1170, 1200])
  expect(WEEKS[0]!.rows[0]!.starts).toEqual([[], [STARTS[0]], [], [], [], [], []])
  expect(toWeeks([], ZONE, '2027-06-06')).toEqual([])
  expect(toWeeks([at('06-27T08:00')], ZONE, '2027-06-06').map(({ days }) => days[0])).toEqual([
    '2027-06-27',
  ])
})

test('an hour that the clock repeats has two beginnings, and the skipped hour has none', () => {
  const half = 30 * 60_000
  const from = at('10-30T22:00')
  const night = Array.from({ length: 10 }, (_, place) => from + place * half)
  const [week] = toWeeks(night, ZONE, '2027-10-31')
  expect(week!.rows.find(({ minute }) => minute === 120)!.starts[0]).toEqual([
    at('10-31T00:00'),
    at('10-31T01:00'),
  ])
  const spring = Array.from({ length: 4 }, (_, place) => at('03-28T00:00') + place * half)
  expect(toWeeks(spring, ZONE, '2027-03-28')[0]!.rows.map(({ minute }) => minute)).toEqual([
    60, 90, 180, 210,
  ])
})

test('moves go to the next time of a day, and to the nearest time of the next day with times', () => {
  const [week] = WEEKS
  expect(moveFrom(week!, STARTS[0]!, 'later')).toBe(STARTS[1])
  expect(moveFrom(week!, STARTS[0]!, 'earlier')).toBeUndefined()
  expect(moveFrom(week!, STARTS[0]!, 'day after')).toBe(STARTS[3])
  expect(moveFrom(week!, STARTS[3]!, 'day before')).toBe(STARTS[2])
  expect(moveFrom(week!, STARTS[3]!, 'day after')).toBeUndefined()
})

let root: Root
beforeAll(async () => {
  await activate('en')
  await loadTexts('dates')
})
beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(async () => {
  await act(async () => root.unmount())
  document.body.replaceChildren()
  document.documentElement.style.direction = ''
  vi.unstubAllGlobals()
})

function Picker({ herZone }: { herZone?: string }) {
  const [chosen, setChosen] = useState<number>()
  return <WeekGrid weeks={WEEKS} zone={ZONE} herZone={herZone} at={chosen} onChoose={setChosen} />
}
const show = (herZone?: string) =>
  act(async () => root.render(<Picker {...(herZone && { herZone })} />))
const cell = (start: number) => document.querySelector<HTMLElement>(`[data-start="${start}"]`)
const press = (key: string) =>
  act(async () =>
    document.activeElement!.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true })),
  )
const button = (label: string) => document.querySelector<HTMLElement>(`[aria-label="${label}"]`)!

test('arrow keys move between the times, mirrored in languages from right to left', async () => {
  await show()
  expect(document.querySelectorAll('[data-start][tabindex="0"]')).toHaveLength(1)
  cell(STARTS[0]!)!.focus()
  await press('ArrowRight')
  expect(document.activeElement).toBe(cell(STARTS[3]!))
  document.documentElement.style.direction = 'rtl'
  for (const each of document.querySelectorAll<HTMLElement>('[data-start]'))
    each.style.direction = 'rtl'
  await press('ArrowRight')
  expect(document.activeElement).toBe(cell(STARTS[2]!))
  await press('ArrowUp')
  expect(document.activeElement).toBe(cell(STARTS[1]!))
  expect(document.querySelectorAll('[data-start][tabindex="0"]')).toHaveLength(1)
})

test('a press chooses a time, whose name has the day and the time of both', async () => {
  await show('Asia/Tokyo')
  expect(cell(STARTS[2]!)!.getAttribute('aria-label')).toMatch(
    /Monday.*June.*8:00.PM.*she is Tuesday.*3:00.AM/,
  )
  await act(async () => cell(STARTS[2]!)!.click())
  expect(cell(STARTS[2]!)!.getAttribute('aria-pressed')).toBe('true')
})

test('the next week has its own times, and the last week has no later one', async () => {
  await show()
  expect(button('Earlier week').hasAttribute('disabled')).toBe(true)
  await act(async () => button('Later week').click())
  expect(cell(STARTS[0]!)).toBeNull()
  expect(cell(STARTS[4]!)!.tabIndex).toBe(0)
  expect(button('Later week').hasAttribute('disabled')).toBe(true)
})
