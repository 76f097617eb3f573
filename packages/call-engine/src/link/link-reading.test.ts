import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { lossBetween, NO_READING, readLink } from './link-reading.ts'

const report = (...entries: Record<string, unknown>[]) =>
  new Map(entries.map((entry, index) => [String(index), { id: String(index), ...entry }]))

const PAIR = { type: 'candidate-pair', nominated: true, state: 'succeeded' }

test('reads what the meter and the picture need', () => {
  const reading = readLink(
    report(
      { type: 'inbound-rtp', kind: 'video', framesDecoded: 120, packetsReceived: 900 },
      { type: 'inbound-rtp', kind: 'audio', packetsReceived: 200 },
      {
        type: 'outbound-rtp',
        kind: 'video',
        framesSent: 118,
        packetsSent: 800,
        qualityLimitationReason: 'bandwidth',
      },
      { type: 'outbound-rtp', kind: 'audio', packetsSent: 200 },
      { type: 'media-source', kind: 'video', frames: 121 },
      {
        type: 'remote-inbound-rtp',
        kind: 'video',
        roundTripTimeMeasurements: 4,
        packetsLost: 10,
        timestamp: 5000,
      },
      {
        type: 'remote-inbound-rtp',
        kind: 'audio',
        roundTripTimeMeasurements: 2,
        packetsLost: 0,
        timestamp: 5100,
      },
      { type: 'transport', bytesSent: 3000, bytesReceived: 7000 },
      { ...PAIR, currentRoundTripTime: 0.05, availableOutgoingBitrate: 600_000 },
    ),
  )
  deepEqual(reading, {
    frames_decoded: 120,
    frames_captured: 121,
    frames_sent: 118,
    reports_received: 6,
    packets_sent: 1000,
    packets_lost: 10,
    audio_packets_received: 200,
    video_packets_received: 900,
    used_bytes: 10_000,
    round_trip_ms: 50,
    available_bps: 600_000,
    held_back_by: 'bandwidth',
    last_report_ms: 5100,
  })
})

test('the pair that is in use is asked, not one that was nominated before', () => {
  const transport = { type: 'transport', selectedCandidatePairId: '1' }
  const reading = readLink(
    report({ ...PAIR, currentRoundTripTime: 2 }, { ...PAIR, currentRoundTripTime: 0.1 }, transport),
  )
  equal(reading.round_trip_ms, 100)
})

test('a browser that does not count receiver reports is counted for', () => {
  const at = (timestamp: number) => report({ type: 'remote-inbound-rtp', kind: 'video', timestamp })
  const first = readLink(at(1000))
  const same = readLink(at(1000), first)
  const second = readLink(at(2000), same)
  deepEqual(
    [first, same, second].map(({ reports_received }) => reports_received),
    [1, 1, 2],
  )
})

test('counters do not fall when an entry vanishes', () => {
  const before = readLink(report({ type: 'inbound-rtp', kind: 'video', framesDecoded: 120 }))
  equal(readLink(report(), before).frames_decoded, 120)
})

test('an empty report is no reason to fail', () => {
  deepEqual(readLink(report()), NO_READING)
})

test('loss is the share of what was sent since the last reading', () => {
  const before = { ...NO_READING, packets_sent: 1000, packets_lost: 100 }
  equal(lossBetween(before, { ...before, packets_sent: 1200, packets_lost: 120 }), 0.1)
  equal(lossBetween(before, before), null)
})
