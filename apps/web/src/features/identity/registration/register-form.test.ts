import { beforeAll, expect, test } from 'vitest'
import { activate } from '../../../shared/i18n.ts'
import { RefusedError } from '../../../shared/app-services.tsx'
import { fieldError, refusalAtFields, latestBirthday } from './register-form.ts'

beforeAll(() => activate('en'))
const TODAY = '2026-11-21'

test('accepts a birthday 18 years ago today and rejects one a day later', () => {
  expect(latestBirthday(TODAY)).toBe('2008-11-21')
  expect(fieldError('birthday', '2008-11-21', TODAY)).toBeUndefined()
  expect(fieldError('birthday', '2008-11-22', TODAY)).toBeDefined()
  expect(fieldError('birthday', '', TODAY)).toBeDefined()
})

test('a field shows its error before anything is sent', () => {
  expect(fieldError('nick', ' ab ', TODAY)).toBeDefined()
  expect(fieldError('nick', 'Ann', TODAY)).toBeUndefined()
  expect(fieldError('nick', 'x'.repeat(41), TODAY)).toBeDefined()
  expect(fieldError('email', 'ann@', TODAY)).toBeDefined()
  expect(fieldError('email', 'ann@example.com', TODAY)).toBeUndefined()
  expect(fieldError('password', '1234567', TODAY)).toBeDefined()
  expect(fieldError('password', '12345678', TODAY)).toBeUndefined()
})

test.each([
  ['email_used', 'email'],
  ['passwords_differ', 'password'],
  ['password_weak', 'password'],
  ['name_short', 'nick'],
  ['name_long', 'nick'],
  ['email_invalid', 'email'],
  ['nick_short', 'nick'],
  ['birthday_invalid', 'birthday'],
] as const)('refusal %s is shown at the field %s', (refusal, field) => {
  const refused = new RefusedError('UPDATE_PROFILE', refusal)
  expect(Object.keys(refusalAtFields(refused) ?? {})).toEqual([field])
})

test('marks the fields that the server names; other refusals go to the error dialog', () => {
  const wrong = (path: string) =>
    new RefusedError('UPDATE_PROFILE', 'invalid', {
      additional: { fields: [{ path, message: '' }] },
    })
  expect(Object.keys(refusalAtFields(wrong('nick')) ?? {})).toEqual(['nick'])
  expect(refusalAtFields(wrong('other'))).toBeUndefined()
  expect(refusalAtFields(new RefusedError('UPDATE_PROFILE', 'too_many'))).toBeUndefined()
})
