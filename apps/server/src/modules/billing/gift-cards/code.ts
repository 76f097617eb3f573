import { createHmac, randomInt } from 'node:crypto'
import type { AppContext } from '../../../core/app.ts'
import { keyFor } from '../../../lib/derived-key.ts'

/** Crockford's base32: no sign looks like another. */
const SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const SIGNS_IN_CODE = 16
const GROUP = 4

/** A new code: `7K3M-PQ2R-…`, 75 random bits and a check sign. */
export function newCode(): string {
  const random = Array.from({ length: SIGNS_IN_CODE - 1 }, () => SIGNS[randomInt(SIGNS.length)]!)
  const signs = random.join('')
  return group(signs + checkSign(signs))
}

/** The code as it is stored. Undefined: the check sign shows that it was mistyped. */
export function readCode(given: string): string | undefined {
  const signs = given
    .toUpperCase()
    .replaceAll(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  if (signs.length !== SIGNS_IN_CODE || [...signs].some((sign) => !SIGNS.includes(sign)))
    return undefined
  return signs.at(-1) === checkSign(signs.slice(0, -1)) ? group(signs) : undefined
}

/** Only the hash is stored: a copy of the database redeems nothing. */
export function hashCode({ config }: AppContext, code: string): Buffer {
  return createHmac('sha256', keyFor(config, 'gift cards')).update(code).digest()
}

/** The sum of the places weighted by their odd position: one wrong sign, and two exchanged neighbours, change it. */
function checkSign(signs: string): string {
  let sum = 0
  for (const [place, sign] of [...signs].entries()) sum += SIGNS.indexOf(sign) * (2 * place + 1)
  return SIGNS[sum % SIGNS.length]!
}

function group(signs: string): string {
  const groups = Array.from({ length: SIGNS_IN_CODE / GROUP }, (_, n) =>
    signs.slice(n * GROUP, (n + 1) * GROUP),
  )
  return groups.join('-')
}
