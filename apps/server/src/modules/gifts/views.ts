import type { Gift } from '@duet/protocol'
import { toWire } from '../../lib/money.ts'
import { serverText } from '../../platform/texts.ts'
import type { GiftRow } from './queries.ts'

/** A gift with its name in this language. */
export function toGift({ gift_id, word, price }: GiftRow, locale = 'en'): Gift {
  return {
    gift_id,
    name: serverText(locale, 'gifts', `gift.name.${word}`),
    image: `/gifts/${word}.svg`,
    price: toWire('diamond', price),
  }
}
