import type { Gift } from '@duet/protocol'
import type { Selectable } from 'kysely'
import type { Tables } from '../../core/tables.gen.ts'
import { toWire } from '../../lib/money.ts'
import { serverText } from '../../platform/texts.ts'

export type GiftRow = Selectable<Tables['gifts']>

/** A gift with its name in this language. */
export function toGift({ gift_id, word, price }: GiftRow, locale = 'en'): Gift {
  return {
    gift_id,
    name: serverText(locale, 'gifts', `gift.name.${word}`),
    image: `/gifts/${word}.svg`,
    price: toWire('diamond', price),
  }
}
