import { beforeAll, expect, test } from 'vitest'
import { activate, t } from '../../../shared/i18n.ts'
import { newPasswordErrors } from './new-password.ts'

beforeAll(() => activate('en', ['app', 'identity', 'errors']))

test('a new password is long enough and the same twice, each with a sentence at its own field', () => {
  expect(newPasswordErrors('12345678', '12345678')).toEqual({})
  expect(newPasswordErrors('1234567', '1234567')).toEqual({
    password: t('register.password_short', { count: 8 }),
  })
  expect(newPasswordErrors('12345678', '12345679')).toEqual({
    repeated: t('error.passwords_differ'),
  })
})
