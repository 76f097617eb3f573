import { afterEach, expect, test } from 'vitest'
import { modals } from './modals.ts'

afterEach(() => modals.closeAll())
const names = () => modals.getStack().map((modal) => modal.name)

test('whoever asks gets the answer of the dialog, or nothing when it was only closed', async () => {
  const answered = modals.ask('age_confirmation', {})
  modals.close(modals.getStack()[0]!.key, true)
  expect(await answered).toBe(true)
  const closed = modals.ask('login', {})
  modals.closeTop()
  expect(await closed).toBeUndefined()
})

test('registering in the place of logging in answers who asked for the login', async () => {
  const asked = modals.ask('login', {})
  modals.swap('login', 'register', {})
  expect(names()).toEqual(['register'])
  modals.close(modals.getStack()[0]!.key, true)
  expect(await asked).toBe(true)
})

test('the terms open above the age gate, and asking twice shows one dialog', () => {
  modals.open('age_confirmation', {})
  modals.open('terms', {})
  modals.open('terms', {})
  expect(names()).toEqual(['age_confirmation', 'terms'])
  modals.closeTop()
  expect(names()).toEqual(['age_confirmation'])
})
