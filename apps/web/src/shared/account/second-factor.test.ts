import { expect, test, vi } from 'vitest'
import { RefusedError } from '../app-services.tsx'
import { dialogs } from '../dialogs.ts'
import { withFactor } from './second-factor.ts'

const refused = (methods: string[]) =>
  new RefusedError('AUTH', 'second_factor', { additional: { methods } })

/** Waits until the call asks, then closes the question with this answer. */
async function answer(given: { otp: string } | undefined) {
  const [open] = await vi.waitUntil(() => {
    const stack = dialogs.getSnapshot()
    return stack.length > 0 && stack
  })
  dialogs.close(open!.key, given)
  return open!.input
}

test('asks for the second factor until a proof is accepted', async () => {
  const call = vi.fn(async ({ otp }: { otp?: string }) => {
    if (otp !== '222222') throw refused(['otp'])
    return 'in'
  })
  const result = withFactor(call)
  expect(await answer({ otp: '111111' })).toEqual({ methods: ['otp'], is_wrong: false })
  await vi.waitUntil(() => call.mock.calls.length === 2)
  expect(await answer({ otp: '222222' })).toEqual({ methods: ['otp'], is_wrong: true })
  expect(await result).toEqual({ answer: 'in' })
})

test('ends without an answer when the user closes the question, and passes other errors on', async () => {
  const result = withFactor(() => Promise.reject(refused(['passkey'])))
  await answer(undefined)
  expect(await result).toBeUndefined()
  const wrong = new RefusedError('AUTH', 'wrong_login')
  await expect(withFactor(() => Promise.reject(wrong))).rejects.toBe(wrong)
})
