import { afterEach, expect, test } from 'vitest'
import { dialogs } from './dialogs.ts'

afterEach(() => dialogs.closeAll())
const names = () => dialogs.getSnapshot().map((modal) => modal.name)

test('the caller receives the answer of the dialog, or undefined when it was closed without one', async () => {
  const answered = dialogs.ask('age_confirmation', {})
  dialogs.close(dialogs.getSnapshot()[0]!.key, true)
  expect(await answered).toBe(true)
  const closed = dialogs.ask('login', {})
  dialogs.closeTop()
  expect(await closed).toBeUndefined()
})

test('a registration that replaced the login answers the caller of the login', async () => {
  const asked = dialogs.ask('login', {})
  dialogs.swap('login', 'register', {})
  expect(names()).toEqual(['register'])
  dialogs.close(dialogs.getSnapshot()[0]!.key, true)
  expect(await asked).toBe(true)
})

test('opens the terms above the age gate, and one dialog for two requests', () => {
  dialogs.open('age_confirmation', {})
  dialogs.open('terms', {})
  dialogs.open('terms', {})
  expect(names()).toEqual(['age_confirmation', 'terms'])
  dialogs.closeTop()
  expect(names()).toEqual(['age_confirmation'])
})
