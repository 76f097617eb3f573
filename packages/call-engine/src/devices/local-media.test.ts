import { deepEqual, equal, ok, partialDeepStrictEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { FakeEngineClock, settled } from '../fakes/fake-clock.ts'
import { FakeDevices } from '../fakes/fake-devices.ts'
import type { FakeDevice, FakeTrack } from '../fakes/fake-devices.ts'
import { createLocalMedia } from './local-media.ts'
import type { DeviceChoice } from './capture.ts'

const WEBCAM: FakeDevice = { kind: 'camera', device_id: 'webcam' }
const USB: FakeDevice = { kind: 'camera', device_id: 'usb' }
const MIC: FakeDevice = { kind: 'microphone', device_id: 'mic' }
const HEADSET: FakeDevice = { kind: 'microphone', device_id: 'headset' }
const FRONT: FakeDevice = { kind: 'camera', device_id: 'front', facing: 'user' }
const BACK: FakeDevice = { kind: 'camera', device_id: 'back', facing: 'environment' }

function own(
  plugged: FakeDevice[],
  choice?: Partial<DeviceChoice>,
  wanted?: { camera?: boolean; microphone?: boolean },
) {
  const devices = new FakeDevices(plugged)
  const clock = new FakeEngineClock()
  const media = createLocalMedia({ devices, clock, strength: () => 'modest', choice, wanted })
  const live = () =>
    devices.tracks.filter(({ readyState }) => readyState === 'live').map(({ deviceId }) => deviceId)
  const camera = () => media.getSnapshot().video_track as unknown as FakeTrack
  return { devices, media, live, camera, clock }
}

test('requests no device before acquire', () => {
  const { devices, media } = own([WEBCAM, MIC])
  deepEqual(devices.asked, [])
  equal(media.getSnapshot().status, 'off')
})

test('requests camera and microphone with one question', async () => {
  const { devices, media, live } = own([WEBCAM, MIC])
  equal(await media.acquire(), true)
  equal(devices.asked.length, 1)
  deepEqual(live(), ['webcam', 'mic'])
  partialDeepStrictEqual(media.getSnapshot(), {
    status: 'on',
    camera: 'on',
    microphone: 'on',
    failure: null,
  })
  equal(media.preview.getTracks().length, 1)
})

test('asks once when acquire is called twice', async () => {
  const { devices, media } = own([WEBCAM, MIC])
  await Promise.all([media.acquire(), media.acquire()])
  equal(devices.asked.length, 1)
})

for (const [answer, kind] of [
  ['deny', 'denied'],
  ['dismiss', 'dismissed'],
] as const) {
  test(`reports the answer ${answer} as ${kind}`, async () => {
    const { devices, media } = own([WEBCAM, MIC])
    devices.answer = answer
    equal(await media.acquire(), false)
    partialDeepStrictEqual(media.getSnapshot(), {
      status: 'failed',
      failure: { kind, device: 'both' },
    })
  })
}

test('names the blocked device when the browser knows it', async () => {
  const { devices, media } = own([WEBCAM, MIC])
  devices.answer = 'deny'
  devices.setPermission('camera', 'denied')
  devices.setPermission('microphone', 'prompt')
  await media.acquire()
  equal(media.getSnapshot().failure?.device, 'camera')
})

for (const [name, plugged, failure] of [
  ['no camera', [MIC], { kind: 'no_device', device: 'camera' }],
  ['no microphone', [WEBCAM], { kind: 'no_device', device: 'microphone' }],
  ['nothing at all', [], { kind: 'no_device', device: 'both' }],
  [
    'a camera in use elsewhere',
    [{ ...WEBCAM, in_use: true }, MIC],
    { kind: 'in_use', device: 'camera' },
  ],
] as const) {
  test(`${name} is reported as such`, async () => {
    const { media } = own([...plugged])
    equal(await media.acquire(), false)
    partialDeepStrictEqual(media.getSnapshot().failure, failure)
  })
}

test('opens refused devices when the permission is granted later', async () => {
  const { devices, media, live } = own([WEBCAM, MIC])
  devices.answer = 'deny'
  await media.acquire()
  devices.answer = 'allow'
  devices.setPermission('camera', 'granted')
  await settled()
  deepEqual(live(), ['webcam', 'mic'])
  partialDeepStrictEqual(media.getSnapshot(), { status: 'on', failure: null })
})

test('opens the devices of the last visit, or others when those are missing', async () => {
  const there = own([WEBCAM, USB, MIC], { camera_id: 'usb' })
  await there.media.acquire()
  deepEqual(there.live(), ['usb', 'mic'])
  const gone = own([WEBCAM, MIC], { camera_id: 'usb' })
  equal(await gone.media.acquire(), true)
  deepEqual(gone.live(), ['webcam', 'mic'])
})

test('a camera that is switched off is stopped and its light goes out', async () => {
  const { media, live, camera } = own([WEBCAM, MIC])
  await media.acquire()
  const track = camera()
  const off = media.setCamera(false)
  equal(track.readyState, 'ended')
  await off
  deepEqual(live(), ['mic'])
  partialDeepStrictEqual(media.getSnapshot(), { status: 'on', camera: 'off', video_track: null })
  equal(media.preview.getTracks().length, 0)
  await media.setCamera(true)
  deepEqual(live(), ['mic', 'webcam'])
})

test('a camera that is switched off before the user answers is never started', async () => {
  const { devices, media, live } = own([WEBCAM, MIC])
  const answer = devices.delayAnswer()
  const asked = media.acquire()
  await settled()
  const off = media.setCamera(false)
  answer()
  await Promise.all([asked, off])
  deepEqual(live(), ['mic'])
})

test('a muted microphone stays muted through a change of device', async () => {
  const { devices, media } = own([WEBCAM, MIC, HEADSET])
  await media.acquire()
  media.setMicrophone(false)
  await media.chooseMicrophone('headset')
  equal(devices.tracks.find(({ deviceId }) => deviceId === 'headset')?.enabled, false)
  partialDeepStrictEqual(media.getSnapshot(), { microphone: 'off', microphone_id: 'headset' })
})

test('closes a camera before it opens another', async () => {
  const { media, live } = own([WEBCAM, USB, MIC])
  await media.acquire()
  await media.chooseCamera('usb')
  deepEqual(live(), ['mic', 'usb'])
  equal(media.getSnapshot().camera_id, 'usb')
})

test('a phone flips to its other camera and back', async () => {
  const { media, live } = own([FRONT, BACK, MIC])
  await media.acquire()
  equal(media.getSnapshot().facing, 'user')
  await media.flip()
  deepEqual(live(), ['mic', 'back'])
  await media.flip()
  deepEqual(live(), ['mic', 'front'])
})

test('a camera that is unplugged in a call is replaced by another', async () => {
  const { devices, media, live } = own([USB, WEBCAM, MIC], { camera_id: 'usb' })
  await media.acquire()
  devices.plug([WEBCAM, MIC])
  await settled()
  deepEqual(live(), ['mic', 'webcam'])
  partialDeepStrictEqual(media.getSnapshot(), { status: 'on', camera: 'on', failure: null })
})

test('reports an unplugged only camera as lost and reopens it when it returns', async () => {
  const { devices, media, live } = own([WEBCAM, MIC])
  await media.acquire()
  devices.plug([MIC])
  await settled()
  partialDeepStrictEqual(media.getSnapshot(), {
    camera: 'lost',
    failure: { kind: 'no_device', device: 'camera' },
  })
  devices.plug([WEBCAM, MIC])
  await settled()
  deepEqual(live(), ['mic', 'webcam'])
  partialDeepStrictEqual(media.getSnapshot(), { camera: 'on', failure: null })
})

test('a camera that another application took is replaced by the camera that the user chooses', async () => {
  const { devices, media, live, camera } = own([WEBCAM, USB, MIC])
  await media.acquire()
  devices.plugged = [{ ...WEBCAM, in_use: true }, USB, MIC]
  camera().end()
  await settled()
  partialDeepStrictEqual(media.getSnapshot(), { camera: 'lost', failure: { kind: 'in_use' } })
  await media.chooseCamera('usb')
  deepEqual(live(), ['mic', 'usb'])
  partialDeepStrictEqual(media.getSnapshot(), { camera: 'on', camera_id: 'usb', failure: null })
})

test('a microphone that another application took is replaced by the microphone that the user chooses', async () => {
  const { devices, media, live } = own([WEBCAM, MIC, HEADSET])
  await media.acquire()
  devices.plugged = [WEBCAM, { ...MIC, in_use: true }, HEADSET]
  ;(media.getSnapshot().audio_track as unknown as FakeTrack).end()
  await settled()
  equal(media.getSnapshot().microphone, 'lost')
  await media.chooseMicrophone('headset')
  deepEqual(live(), ['webcam', 'headset'])
  equal(media.getSnapshot().microphone, 'on')
})

test('the choice of a camera opens nothing while the camera is switched off or the devices are given back', async () => {
  const { media, live } = own([WEBCAM, USB, MIC])
  await media.chooseCamera('usb')
  deepEqual(live(), [])
  await media.acquire()
  await media.setCamera(false)
  await media.chooseCamera('webcam')
  deepEqual(live(), ['mic'])
})

test('a camera that ends as soon as it is opened is reopened a limited number of times', async () => {
  const { devices, media, camera } = own([WEBCAM, MIC])
  await media.acquire()
  for (let deaths = 0; deaths < 10 && media.getSnapshot().video_track; deaths += 1) {
    camera().end()
    await settled()
  }
  equal(media.getSnapshot().camera, 'lost')
  ok(devices.asked.length < 6)
})

test('a camera that the system holds back is paused', async () => {
  const { media, camera } = own([WEBCAM, MIC])
  await media.acquire()
  camera().setMuted(true)
  equal(media.getSnapshot().camera, 'paused')
  camera().setMuted(false)
  equal(media.getSnapshot().camera, 'on')
})

test('release closes everything, also a device that is allowed afterwards', async () => {
  const { devices, media, live } = own([WEBCAM, MIC])
  const answer = devices.delayAnswer()
  const asked = media.acquire()
  await settled()
  media.release()
  answer()
  equal(await asked, false)
  deepEqual(live(), [])
  partialDeepStrictEqual(media.getSnapshot(), {
    status: 'off',
    camera: 'off',
    microphone: 'off',
    failure: null,
  })
})

test('a camera that was switched off is opened again only when both devices are wanted', async () => {
  const { media, live } = own([WEBCAM, MIC])
  await media.acquire()
  await media.setCamera(false)
  media.release()
  equal(await media.acquire(), true)
  deepEqual(live(), ['mic'])
  equal(await media.acquire({ want: 'both' }), true)
  deepEqual(live(), ['mic', 'webcam'])
})

test('a microphone that was lost while muted opens when it is switched on again', async () => {
  const { devices, media, live } = own([WEBCAM, MIC])
  await media.acquire()
  media.setMicrophone(false)
  devices.plug([WEBCAM])
  await settled()
  deepEqual(live(), ['webcam'])
  // The browser reports no change of devices, as after a device that another application held.
  devices.plugged = [WEBCAM, MIC]
  media.setMicrophone(true)
  await settled()
  deepEqual(live(), ['webcam', 'mic'])
  equal(media.getSnapshot().microphone, 'on')
})

test('a muted microphone stays muted through a release', async () => {
  const { media, devices } = own([WEBCAM, MIC])
  await media.acquire()
  media.setMicrophone(false)
  media.release()
  await media.acquire()
  equal(media.getSnapshot().microphone, 'off')
  equal(devices.tracks.at(-1)?.enabled, false)
})

test('switching the camera on passes through opening, not lost', async () => {
  const { media } = own([WEBCAM, MIC])
  await media.acquire()
  await media.setCamera(false)
  const states: string[] = []
  media.subscribe(() => states.push(media.getSnapshot().camera))
  await media.setCamera(true)
  ok(states.includes('opening'))
  ok(!states.includes('lost'))
})

test('a listener that throws does not stop a release', async () => {
  const { media, live } = own([WEBCAM, MIC])
  await media.acquire()
  media.subscribe(() => {
    throw new Error('a broken screen')
  })
  media.release()
  deepEqual(live(), [])
})

test('keeps what the user had switched off before the page was loaded', async () => {
  const { media, live, devices } = own([WEBCAM, MIC], undefined, {
    camera: false,
    microphone: false,
  })
  deepEqual(media.getSnapshot().wanted, { camera: false, microphone: false })
  equal(await media.acquire(), true)
  deepEqual(live(), ['mic'])
  equal(devices.tracks[0]!.enabled, false)
  partialDeepStrictEqual(media.getSnapshot(), { camera: 'off', microphone: 'off' })
  media.setMicrophone(true)
  deepEqual(media.getSnapshot().wanted, { camera: false, microphone: true })
})

test('a camera that delivers no frames is stalled, and on again with the next frame', async () => {
  const { media, camera, clock } = own([WEBCAM, MIC])
  await media.acquire()
  camera().frames = 3
  await clock.pass(750)
  equal(media.getSnapshot().camera, 'stalled')
  camera().frames = 4
  await clock.pass(250)
  equal(media.getSnapshot().camera, 'on')
})

test('a stalled camera is opened again by itself a limited number of times', async () => {
  const { devices, media, camera, clock, live } = own([WEBCAM, MIC])
  await media.acquire()
  const first = camera()
  for (let second = 0; second < 60; second += 1) {
    camera().frames = 1
    await clock.pass(1_000)
  }
  equal(first.readyState, 'ended')
  deepEqual(live(), ['mic', 'webcam'])
  equal(devices.asked.length, 4)
  equal(media.getSnapshot().camera, 'stalled')
})

test('where tracks count no frames, those of the connection are judged', async () => {
  const { media, clock } = own([WEBCAM, MIC])
  await media.acquire()
  for (const further of [null, 30, 0, 0]) {
    media.noteFrames(further)
    await clock.pass(1_000)
  }
  equal(media.getSnapshot().camera, 'stalled')
})

test('a camera that a phone held back for a minute is not opened again when it comes back', async () => {
  const { devices, media, camera, clock } = own([WEBCAM, MIC])
  await media.acquire()
  camera().frames = 30
  await clock.pass(250)
  camera().setMuted(true)
  await clock.pass(60_000)
  camera().setMuted(false)
  await clock.pass(700)
  camera().frames = 31
  await clock.pass(250)
  equal(devices.asked.length, 1)
  equal(media.getSnapshot().camera, 'on')
})

test('plugging in a device after a refusal asks the user nothing', async () => {
  const { devices, media } = own([WEBCAM, MIC])
  devices.answer = 'deny'
  await media.acquire()
  const asked = devices.asked.length
  devices.plug([WEBCAM, MIC, HEADSET])
  await settled()
  equal(devices.asked.length, asked)
})

test('a camera in use elsewhere does not change the chosen microphone', async () => {
  const { media, live } = own([{ ...WEBCAM, in_use: true }, MIC, HEADSET], {
    microphone_id: 'headset',
  })
  equal(await media.acquire(), false)
  deepEqual(live(), ['headset'])
})

for (const change of ['flip', 'chooseCamera'] as const)
  test(`the camera is never lost during ${change}`, async () => {
    const { media } = own([FRONT, BACK, MIC])
    await media.acquire()
    const states: string[] = []
    media.subscribe(() => states.push(media.getSnapshot().camera))
    await (change === 'flip' ? media.flip() : media.chooseCamera('back'))
    ok(states.includes('opening'))
    ok(!states.includes('lost'))
    equal(media.getSnapshot().camera, 'on')
  })
