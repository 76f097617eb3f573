import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { FakeEngineClock } from '../fakes/fake-clock.ts'
import { NO_READING } from './link-reading.ts'
import { startPeerReport } from './peer-report.ts'

function reporting(read: () => Promise<number>) {
  const clock = new FakeEngineClock()
  const reports: number[] = []
  const readings: [number, number][] = []
  const stop = startPeerReport({
    clock,
    read: async () => ({ ...NO_READING, frames_decoded: await read() }),
    onReading: (before, now) => readings.push([before.frames_decoded, now.frames_decoded]),
    onReport: (now) => reports.push(now.frames_decoded),
  })
  return { clock, reports, readings, stop }
}

test('reports at once and then every two seconds, reads every second', async () => {
  let frames = 0
  const { clock, reports, readings } = reporting(async () => (frames += 30))
  await clock.pass(6_000)
  deepEqual(reports, [30, 90, 150, 210])
  deepEqual(readings.slice(0, 3), [
    [0, 30],
    [30, 60],
    [60, 90],
  ])
})

test('a reading that fails leaves out one second and no more', async () => {
  let looks = 0
  const { clock, readings } = reporting(async () => {
    looks += 1
    if (looks === 2) throw new Error('closed')
    return looks
  })
  await clock.pass(3_000)
  deepEqual(readings, [
    [0, 1],
    [1, 3],
    [3, 4],
  ])
})

test('nothing is told after the stop, not even what was being read', async () => {
  const { promise, resolve } = Promise.withResolvers<number>()
  const { clock, reports, stop } = reporting(() => promise)
  stop()
  resolve(1)
  await clock.pass(5_000)
  deepEqual(reports, [])
})
