import { afterEach, expect, test, vi } from 'vitest'
import { elapsedTime, followServer, isZone, startOfDay, waitingTime } from './times.ts'

afterEach(() => {
  vi.useRealTimers()
  followServer(new Date().toISOString())
})

test('waiting times follow the clock of the server, not a wrong clock of the device', () => {
  vi.useFakeTimers({ now: new Date('2026-03-01T06:00:00Z') })
  followServer('2026-03-01T12:00:00Z')
  expect(waitingTime('2026-03-01T11:57:00Z')).toBe('3m')
  expect(elapsedTime('2026-03-01T11:57:00Z')).toBe('03:00')
})

test.each([
  ['2026-03-01', 0, 'Europe/Riga', '2026-02-28T22:00:00.000Z'],
  ['2026-03-01', 1, 'Europe/Riga', '2026-03-01T22:00:00.000Z'],
  // The clocks go forward on this day.
  ['2026-03-29', 1, 'Europe/Riga', '2026-03-29T21:00:00.000Z'],
  ['2026-03-01', 0, 'Asia/Kolkata', '2026-02-28T18:30:00.000Z'],
  ['2026-03-01', 0, 'America/New_York', '2026-03-01T05:00:00.000Z'],
  ['2026-03-01', 0, 'UTC', '2026-03-01T00:00:00.000Z'],
  ['tomorrow', 0, 'UTC', undefined],
])('the day %s and %i more begins in %s', (day, later, zone, begins) => {
  expect(startOfDay(day, later, zone)).toBe(begins)
})

test('a language without texts of the office writes its times in English, from left to right', async () => {
  vi.resetModules()
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['ar'])
  const [{ shortDay }, { loadTexts }] = await Promise.all([
    import('./times.ts'),
    import('./texts.ts'),
  ])
  await loadTexts()
  expect(shortDay('2026-03-01T12:00:00Z')).toBe('Mar 1, 2026')
  const { lang, dir } = document.documentElement
  expect([lang, dir]).toEqual(['en', 'ltr'])
  vi.restoreAllMocks()
})

test('only zones that the browser knows can be chosen', () => {
  expect(['Europe/Riga', 'Middle/Earth', ''].map(isZone)).toEqual([true, false, false])
})
