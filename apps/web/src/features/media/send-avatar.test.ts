import { beforeEach, expect, test } from 'vitest'
import { changeAccount } from '../../shared/account/account-store.ts'
import { activate } from '../../shared/i18n.ts'
import { unsentWork } from '../../shared/navigation/unsent.ts'
import type { AppServices } from '../../shared/app-services.tsx'
import { sendAvatar } from './send-avatar.ts'

let answers: PromiseWithResolvers<object>[]
let signals: AbortSignal[]
let keys: string[]
let patched: object[]

const connection = {
  patchUser: (change: object) => patched.push(change),
  http: {
    post(
      _path: string,
      _body: object,
      { signal, idempotency_key }: { signal: AbortSignal; idempotency_key: string },
    ) {
      const answer = Promise.withResolvers<object>()
      answers.push(answer)
      signals.push(signal)
      keys.push(idempotency_key)
      return answer.promise
    },
  },
} as unknown as AppServices['connection']

const send = (file = new File([], 'a.jpg'), size = 1) =>
  sendAvatar({ connection }, { file, crop: { x: 0, y: 0, size }, onProgress() {} })
/** The browser of these tests decodes no picture, so that the file itself is sent. */
const isPosted = (count = 1) => expect.poll(() => answers).toHaveLength(count)
const stored = { avatar: null, status: 'approved' }

beforeEach(async () => {
  await activate('en')
  answers = []
  signals = []
  keys = []
  patched = []
})

test('an avatar on its way counts as unsent until the last one has arrived', async () => {
  const first = send()
  const second = send()
  await isPosted(2)
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
  await isPosted()
  changeAccount(undefined)
  expect(signals[0]!.aborted).toBe(true)
  answers[0]!.resolve(stored)
  expect(await sent).toBe(false)
  expect(patched).toEqual([])
})

test('another try of the same cut has its key, and another cut or file has its own', async () => {
  const file = new File([], 'a.jpg')
  const lost = send(file)
  await isPosted()
  answers[0]!.reject(new Error('no answer'))
  await expect(lost).rejects.toThrow('no answer')
  const sent = [send(file), send(file, 2), send()]
  await isPosted(4)
  for (const answer of answers) answer.resolve(stored)
  await Promise.all(sent)
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
  expect(keys[1]).toBe(keys[0])
  expect(new Set(keys).size).toBe(3)
})
