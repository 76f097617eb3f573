import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NoAnswerError, RefusedError } from '@duet/client'
import type { AppServices } from '../../app-services.tsx'
import { getTranslations } from './translations.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A server whose answers the test gives, in the order in which they were asked for. */
function translating() {
  const asked: number[] = []
  const answers: { resolve(answer: object): void; reject(error: Error): void }[] = []
  const connection = {
    getSnapshot: () => ({ auth: { user: { id: 1 } } }),
    on: () => () => {},
    ready: () => Promise.reject(new NoAnswerError('AUTH')),
    act: (_action: string, { message_id }: { message_id: number }) => {
      asked.push(message_id)
      return new Promise((resolve, reject) => answers.push({ resolve, reject }))
    },
  }
  const { texts, translate } = getTranslations(connection as unknown as AppServices['connection'])
  return { texts, translate: (id: number) => translate({ kind: 'message_id', id }), asked, answers }
}

test('of many rows the newest are asked for first, and a row that left the screen is not', async () => {
  const { translate, texts, asked, answers } = translating()
  const leave = new Map([1, 2, 3, 4, 5, 6].map((id) => [id, translate(id)]))
  expect(asked).toEqual([1, 2, 3])
  leave.get(5)!()
  expect(texts.getSnapshot().has('message_id 5')).toBe(false)
  for (const at of [0, 1, 2]) answers[at]!.resolve({ translate_message: 'x' })
  await vi.advanceTimersByTimeAsync(0)
  expect(asked).toEqual([1, 2, 3, 6, 4])
})

test('too many requests are waited for; a used-up day is not', async () => {
  const { translate, texts, asked, answers } = translating()
  const refusal = (seconds: number) =>
    new RefusedError('TRANSLATE', 'too_many', { additional: { retry_after: seconds } })
  translate(1)
  answers[0]!.reject(refusal(20))
  await vi.advanceTimersByTimeAsync(19_000)
  expect(asked).toEqual([1])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toEqual([1, 1])
  answers[1]!.reject(refusal(30_000))
  await vi.advanceTimersByTimeAsync(0)
  expect(texts.getSnapshot().get('message_id 1')).toEqual({ status: 'failed' })
})

test('texts that wait for a connection which does not come fail, and later ones are asked for', async () => {
  const { translate, texts, asked, answers } = translating()
  for (const id of [1, 2, 3, 4]) translate(id)
  for (const answer of [...answers]) answer.reject(new NoAnswerError('TRANSLATE'))
  await vi.advanceTimersByTimeAsync(0)
  expect([1, 2, 3].map((id) => texts.getSnapshot().get(`message_id ${id}`)?.status)).toEqual([
    'failed',
    'failed',
    'failed',
  ])
  expect(asked).toEqual([1, 2, 3, 4])
})
