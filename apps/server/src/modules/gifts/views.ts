import type { Gift } from '@duet/protocol'
import type { Selectable } from 'kysely'
import type { Tables } from '../../core/tables.gen.ts'
import { toWire } from '../../lib/money.ts'
import { hasServerText, serverText } from '../../platform/texts.ts'

export type GiftRow = Selectable<Tables['gifts']>

/** A gift with its name in this language. */
export function toGift(gift: GiftRow, locale = 'en'): Gift {
  const { gift_id, word, price } = gift
  return {
    gift_id,
    name: findName(gift, locale),
    image: `/gifts/${word}.svg`,
    price: toWire('diamond', price),
  }
}

/** The operator's name in the language, that of the locale files, or the operator's name in English. */
function findName({ word, names }: GiftRow, locale: string): string {
  const given = names as Readonly<Record<string, string>>
  const id = `gift.name.${word}`
  if (given[locale] !== undefined) return given[locale]
  return hasServerText('gifts', id) ? serverText(locale, 'gifts', id) : (given['en'] ?? word)
}
