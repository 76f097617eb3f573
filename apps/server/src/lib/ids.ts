import { createHash, randomBytes, randomUUID } from 'node:crypto'

/** An opaque secret of 256 bits, safe in URLs. Only its hash is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

export { randomUUID as newUuid }

/** Without 0 O 1 I L, because people read codes to each other. 50 bits cannot be guessed at 30 tries a minute. */
const CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789_'.slice(0, 31)

export function newRefCode(): string {
  const code: string[] = []
  while (code.length < 10) {
    // 248 = 8 * 31: bytes above are drawn again, so that every letter is equally likely
    for (const byte of randomBytes(16))
      if (byte < 248 && code.length < 10) code.push(CODE_ALPHABET[byte % 31]!)
  }
  return code.join('')
}
