import { afterEach, expect, test } from 'vitest'
import { dialogs } from './dialogs.ts'

afterEach(() => dialogs.closeAll())
const names = () => dialogs.getSnapshot().map((modal) => modal.name)

test('whoever asks gets the answer of the dialog, or nothing when it was only closed', async () => {
  const answered = dialogs.ask('age_confirmation', {})
  dialogs.close(dialogs.getSnapshot()[0]!.key, true)
  expect(await answered).toBe(true)
  const closed = dialogs.ask('login', {})
  dialogs.closeTop()
  expect(await closed).toBeUndefined()
})

test('registering in the place of logging in answers who asked for the login', async () => {
  const asked = dialogs.ask('login', {})
  dialogs.swap('login', 'register', {})
  expect(names()).toEqual(['register'])
  dialogs.close(dialogs.getSnapshot()[0]!.key, true)
  expect(await asked).toBe(true)
})

test('the terms open above the age gate, and asking twice shows one dialog', () => {
  dialogs.open('age_confirmation', {})
  dialogs.open('terms', {})
  dialogs.open('terms', {})
  expect(names()).toEqual(['age_confirmation', 'terms'])
  dialogs.closeTop()
  expect(names()).toEqual(['age_confirmation'])
})
