import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { FakeEngineClock } from '../fakes/fake-clock.ts'
import { watchCamera } from './camera-watch.ts'

function watching() {
  const clock = new FakeEngineClock()
  const camera = { frames: 0 as number | null }
  const stalls: boolean[] = []
  let stuck = 0
  const watch = watchCamera({
    clock,
    frames: () => camera.frames,
    onStalled: (stalled) => stalls.push(stalled),
    onStuck: () => (stuck += 1),
  })
  return { clock, camera, stalls, watch, stuckCount: () => stuck }
}

test('a camera that stops delivering frames is stalled after half a second, and recovers with the next frame', async () => {
  const { clock, camera, stalls } = watching()
  camera.frames = 5
  await clock.pass(250)
  await clock.pass(250)
  deepEqual(stalls, [])
  await clock.pass(250)
  deepEqual(stalls, [true])
  camera.frames = 6
  await clock.pass(250)
  deepEqual(stalls, [true, false])
})

test('a camera that delivers five frames a second is not stalled', async () => {
  const { clock, camera, stalls } = watching()
  for (let frames = 1; frames < 20; frames += 1) {
    camera.frames = frames
    await clock.pass(200)
  }
  deepEqual(stalls, [])
})

test('a camera has three seconds for its first frame', async () => {
  const { clock, stalls } = watching()
  await clock.pass(2_750)
  deepEqual(stalls, [])
  await clock.pass(250)
  deepEqual(stalls, [true])
})

test('a camera that stays stalled is stuck, once', async () => {
  const { clock, camera, stuckCount } = watching()
  camera.frames = 5
  await clock.pass(2_500)
  equal(stuckCount(), 0)
  await clock.pass(500)
  equal(stuckCount(), 1)
  await clock.pass(10_000)
  equal(stuckCount(), 1)
})

test('a camera whose frames cannot be counted, or that is held back, is not stalled', async () => {
  const { clock, camera, stalls } = watching()
  camera.frames = null
  await clock.pass(10_000)
  deepEqual(stalls, [])
})

test('frames that another source has counted are judged in the same way', async () => {
  const { clock, camera, stalls, watch } = watching()
  camera.frames = null
  watch.note(30)
  await clock.pass(1_000)
  watch.note(0)
  await clock.pass(1_000)
  watch.note(0)
  deepEqual(stalls, [true])
})

test('a camera that was held back has three seconds for its next frame', async () => {
  const { clock, camera, stalls, watch, stuckCount } = watching()
  camera.frames = 5
  await clock.pass(250)
  camera.frames = null
  await clock.pass(60_000)
  watch.restart()
  camera.frames = 5
  await clock.pass(2_500)
  camera.frames = 6
  await clock.pass(250)
  deepEqual([stalls, stuckCount()], [[], 0])
})

test('a camera has three seconds for its next frame after the computer slept', async () => {
  const { clock, camera, stalls, stuckCount } = watching()
  camera.frames = 5
  await clock.pass(250)
  clock.sleep(600_000)
  await clock.pass(2_500)
  deepEqual([stalls, stuckCount()], [[], 0])
})

test('a watch that was stopped reports nothing', async () => {
  const { clock, camera, stalls, watch } = watching()
  camera.frames = 5
  await clock.pass(250)
  watch.stop()
  await clock.pass(5_000)
  deepEqual(stalls, [])
})
