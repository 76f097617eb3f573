import { beforeAll, expect, test } from 'vitest'
import { activate } from '../../lib/i18n.ts'
import { Refused } from '../../lib/session.tsx'
import { complaintAbout, errorsAtFields, latestBirthday } from './register-form.ts'

beforeAll(() => activate('en'))
const today = '2026-11-21'

test('somebody who turns 18 today may register, tomorrow is too late', () => {
  expect(latestBirthday(today)).toBe('2008-11-21')
  expect(complaintAbout('birthday', '2008-11-21', today)).toBeUndefined()
  expect(complaintAbout('birthday', '2008-11-22', today)).toBeDefined()
  expect(complaintAbout('birthday', '', today)).toBeDefined()
})

test('a field says what is wrong with it before anything is sent', () => {
  expect(complaintAbout('nick', ' ab ', today)).toBeDefined()
  expect(complaintAbout('nick', 'Ann', today)).toBeUndefined()
  expect(complaintAbout('nick', 'x'.repeat(41), today)).toBeDefined()
  expect(complaintAbout('email', 'ann@', today)).toBeDefined()
  expect(complaintAbout('email', 'ann@example.com', today)).toBeUndefined()
  expect(complaintAbout('password', '1234567', today)).toBeDefined()
  expect(complaintAbout('password', '12345678', today)).toBeUndefined()
})

test.each([
  [103, 'email'],
  [105, 'password'],
  [106, 'password'],
  [107, 'nick'],
  [108, 'nick'],
  [112, 'email'],
  [201, 'nick'],
  [203, 'birthday'],
])('refusal %i stands at the field %s', (code, field) => {
  expect(Object.keys(errorsAtFields(new Refused('UPDATE_PROFILE', code, '')) ?? {})).toEqual([
    field,
  ])
})

test('fields that the server names are marked, everything else goes to the error dialog', () => {
  const named = new Refused('UPDATE_PROFILE', 900, '', { fields: [{ path: 'nick', message: '' }] })
  expect(Object.keys(errorsAtFields(named) ?? {})).toEqual(['nick'])
  expect(
    errorsAtFields(
      new Refused('UPDATE_PROFILE', 900, '', { fields: [{ path: 'other', message: '' }] }),
    ),
  ).toBeUndefined()
  expect(errorsAtFields(new Refused('UPDATE_PROFILE', 601, ''))).toBeUndefined()
})
