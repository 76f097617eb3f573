import { limits } from '@duet/protocol/kernel/limits.ts'
import { t } from '../../../shared/i18n.ts'
import { passwordShort } from '../registration/register-form.ts'

export interface NewPasswordErrors {
  password?: string | undefined
  repeated?: string | undefined
}

/**
 * The errors of a password that the user entered twice, before the password is sent. The server refuses the best-known
 * passwords.
 */
export function newPasswordErrors(password: string, repeated: string): NewPasswordErrors {
  return {
    password: isLongEnough(password) ? undefined : passwordShort(),
    repeated: repeated === password ? undefined : t('error.passwords_differ'),
  }
}

/** The rule that is ticked off while the user types. */
export function passwordCheck(password: string): { text: string; passed: boolean } {
  return {
    text: t('register.password_check', { count: limits.password_characters_min }),
    passed: isLongEnough(password),
  }
}

function isLongEnough(password: string): boolean {
  return [...password].length >= limits.password_characters_min
}
