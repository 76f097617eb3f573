import { dictionary } from '@zxcvbn-ts/language-common'
import { limits } from '@duet/protocol'

let bestKnown: ReadonlySet<string> | undefined

/** Whether a password is one of about 18,000 that leaks contain most often; the capitalisation does not count. */
export function isBestKnownPassword(password: string): boolean {
  bestKnown ??= new Set(
    dictionary['passwords-common'].filter(({ length }) => length >= limits.password_characters_min),
  )
  return bestKnown.has(password.toLowerCase())
}
