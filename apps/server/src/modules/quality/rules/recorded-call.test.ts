import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ConnectionStats,
  readStats,
  type StatsEntry,
} from '@duet/monitoring/connection-stats.ts'
import recorded from '@duet/monitoring/fakes/chromium-call.json' with { type: 'json' }
import { readSample } from './stats-sample.ts'
import { type QualityEvent, summarise } from './summary.ts'

/** Three `getStats` of a call of seven seconds' interval, as Chromium answered them: video of 640 by 480 at 20 frames. */
const reports = recorded.reports as unknown as StatsEntry[][]

function readAll(): ConnectionStats[] {
  const read: ConnectionStats[] = []
  for (const entries of reports)
    read.push(readStats(new Map(entries.map((entry) => [String(entry.id), entry])), read.at(-1)))
  return read
}

const samples = readAll().map(readSample)

/** Bits a second by hand: how much the counters of all received streams grew. */
function receivedKbps(index: number): number {
  const streams = (at: number) => reports[at]!.filter(({ type }) => type === 'inbound-rtp')
  const bytes = (at: number) =>
    streams(at).reduce((sum, { bytesReceived }) => sum + Number(bytesReceived), 0)
  const [now, before] = [index, index - 1].map((at) => Number(streams(at)[0]!.timestamp))
  return ((bytes(index) - bytes(index - 1)) * 8) / (now! - before!)
}

test('the statistics of a recorded Chromium call are read in full', () => {
  deepEqual(
    samples.map(({ in_fps, in_height, out_fps, out_height, rtt_ms, path }) => [
      in_fps,
      in_height,
      out_fps,
      out_height,
      rtt_ms,
      path,
    ]),
    [
      [21, 480, 20, 480, 3, 'host/udp/ethernet - host/udp'],
      [20, 480, 20, 480, 6, 'host/udp/ethernet - host/udp'],
      [20, 480, 20, 480, 1, 'host/udp/ethernet - host/udp'],
    ],
  )
  deepEqual(
    samples.map(({ in_kbps, in_loss_percent }) => [in_kbps === undefined, in_loss_percent]),
    [
      [true, undefined],
      [false, 0],
      [false, 0],
    ],
  )
  for (const index of [1, 2])
    ok(Math.abs(samples[index]!.in_kbps! - receivedKbps(index)) < 0.01, `report ${index}`)
})

test('the summary of a recorded Chromium call says that it was good', () => {
  const began = Temporal.Instant.from('2030-01-01T12:00:00Z')
  const events = samples.map((details, index): QualityEvent => ({
    at: began.add({ seconds: 7 * index }),
    kind: 'stats',
    name: 'stats',
    details,
  }))
  const summary = summarise(events)!
  deepEqual(
    [summary.reports, summary.rtt_ms, summary.freezes, summary.frozen_s, summary.score],
    [3, 3.33, 0, 0, { inbound: 4.4, outbound: 4.4, worst: 4.4, poor_percent: 0 }],
  )
  equal(summary.issues.length, 0)
  deepEqual(
    summary.network.map(({ change }) => change),
    ['host/udp/ethernet - host/udp'],
  )
})
