import { limits } from '@duet/protocol'
import { isNormalizable } from '@duet/protocol/kernel/primitives.ts'
import type { RefusalName } from '@duet/protocol'
import { countCharacters } from '../../identity/index.ts'
import { isBestKnownPassword } from './best-known-passwords.ts'

/** One @ with a name before it and a domain with a dot after it, no spaces. Whether it exists, only a mail can show. */
const EMAIL_ADDRESS =
  /^[^\s@<>(),;:"]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u

export function emailRefusal(email: string): RefusalName | undefined {
  return email.length <= limits.email_characters && EMAIL_ADDRESS.test(email)
    ? undefined
    : 'email_invalid'
}

export function passwordRefusal(
  password: string,
  repeated: string | undefined,
): RefusalName | undefined {
  if (repeated !== undefined && repeated !== password) return 'passwords_differ'
  if (
    password.length > limits.password_characters ||
    !isNormalizable(password, limits.password_characters) ||
    countCharacters(password) < limits.password_characters_min
  )
    return 'password_weak'
  const hasFewCharacters = new Set(password.toLowerCase()).size < 3
  return hasFewCharacters || isBestKnownPassword(password) ? 'password_weak' : undefined
}
