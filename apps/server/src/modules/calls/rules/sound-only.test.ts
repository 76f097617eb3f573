import { test } from 'node:test'
import { deepEqual, equal } from 'node:assert/strict'
import { ScriptedCall, has } from '@duet/testkit/calls/scripted-call.ts'
import { getSoundOnly } from './sound-only.ts'

const dark = { girl: { video: false } }

function talkWithoutHerCamera(): ScriptedCall {
  return new ScriptedCall().start().until(20).until(30, dark)
}

test('a camera that is off ends no call while both agree to go on with sound', () => {
  const talk = talkWithoutHerCamera()
  talk.does({ type: 'sound_only_answered', side: 'guy', agree: true })
  talk.does({ type: 'sound_only_answered', side: 'girl', agree: true })
  talk.until(300, dark)
  equal(talk.call.status, 'running')
  equal(talk.call.why, 'camera_off')
  talk.leaves('guy')
  deepEqual(talk.sums, [10, 0, 10, 280])
})

test('the word of one side alone does not keep the call', () => {
  for (const side of ['guy', 'girl'] as const) {
    const talk = talkWithoutHerCamera()
    talk.does({ type: 'sound_only_answered', side, agree: true })
    talk.until(300, dark)
    equal(talk.call.reason, 'media_lost', side)
  }
})

test('taking the word back ends the call when her camera was off for too long', () => {
  const talk = talkWithoutHerCamera()
  talk.does({ type: 'sound_only_answered', side: 'guy', agree: true })
  talk.does({ type: 'sound_only_answered', side: 'girl', agree: true })
  talk.until(200, dark)
  talk.does({ type: 'sound_only_answered', side: 'girl', agree: false })
  equal(talk.call.reason, 'media_lost')
})

test('no side agrees with her camera on, and each time without her picture needs a new word', () => {
  const talk = new ScriptedCall().start().until(20)
  const answered = talk.does({ type: 'sound_only_answered', side: 'guy', agree: true })
  equal(has(answered, 'notify_sound_only'), false)
  deepEqual(getSoundOnly(talk.call, 'guy'), { own: false, partner: false })
  talk.until(30, dark)
  talk.does({ type: 'sound_only_answered', side: 'guy', agree: true })
  deepEqual(getSoundOnly(talk.call, 'girl'), { own: false, partner: true })
  talk.until(40)
  deepEqual(getSoundOnly(talk.call, 'girl'), { own: false, partner: false })
})

test('each switch of a camera is recorded, up to a number', () => {
  const talk = new ScriptedCall().start()
  const isRecorded = (video: boolean) => has(talk.report('girl', { video }), 'record_media')
  deepEqual([true, false, false, true].map(isRecorded), [false, true, false, true])
  const more = Array.from({ length: 300 }, (_, time) => isRecorded(time % 2 === 1))
  equal(more.filter(Boolean).length, 98)
})

test('the partner learns of the first report and of each change, and of nothing else', () => {
  const talk = new ScriptedCall().start()
  const sent = () => has(talk.report('girl'), 'notify_media')
  deepEqual([sent(), sent()], [true, false])
  equal(has(talk.report('girl', { video: false }), 'notify_media'), true)
  equal(has(talk.report('girl', { video: false }), 'notify_media'), false)
})
