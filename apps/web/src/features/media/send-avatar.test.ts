import { beforeEach, expect, test } from 'vitest'
import { activate } from '../../shared/i18n.ts'
import { unsentWork } from '../../shared/navigation/unsent.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { sendAvatar } from './send-avatar.ts'

let logOut: () => void
let answers: PromiseWithResolvers<object>[]
let signals: AbortSignal[]
let patched: object[]

const connection = {
  on(_event: 'identity', listener: () => void) {
    logOut = listener
    return () => {}
  },
  patchUser: (change: object) => patched.push(change),
  http: {
    post(_path: string, _body: object, { signal }: { signal: AbortSignal }) {
      const answer = Promise.withResolvers<object>()
      answers.push(answer)
      signals.push(signal)
      return answer.promise
    },
  },
} as unknown as AppServices['connection']

const send = () =>
  sendAvatar(
    { connection },
    { file: new File([], 'a.jpg'), crop: { x: 0, y: 0, size: 1 }, onProgress() {} },
  )
const stored = { avatar: null, status: 'approved' }

beforeEach(async () => {
  await activate('en')
  answers = []
  signals = []
  patched = []
})

test('an avatar on its way counts as unsent until the last one has arrived', async () => {
  const first = send()
  const second = send()
  expect(unsentWork.getSnapshot().has('avatar')).toBe(true)
  answers[0]!.resolve(stored)
  expect(await first).toBe(true)
  expect(unsentWork.getSnapshot().has('avatar')).toBe(true)
  answers[1]!.reject(new Error('no answer'))
  await expect(second).rejects.toThrow('no answer')
  expect(unsentWork.getSnapshot().has('avatar')).toBe(false)
  expect(patched).toHaveLength(1)
})

test('after a log-out the upload ends and its answer changes nothing', async () => {
  const sent = send()
  logOut()
  expect(signals[0]!.aborted).toBe(true)
  answers[0]!.resolve(stored)
  expect(await sent).toBe(false)
  expect(patched).toEqual([])
})
