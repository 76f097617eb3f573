import { isLocale } from '@duet/protocol/kernel/locales.ts'
import type { App } from '../../core/app.ts'
import type { CommandArguments, OperatorCommand } from '../../core/module.ts'
import { fromDecimal, toWire } from '../../lib/money.ts'
import { refuse } from '../../lib/refusal.ts'
import { shellActor, writeAudit } from '../audit/index.ts'
import { readGifts } from './queries.ts'
import * as store from './store.ts'
import { toGift } from './views.ts'

const PRICE = /^\d{1,6}(\.\d{1,2})?$/

async function list(app: App) {
  const rows = await readGifts(app.db)
  return rows.map((row) => ({ ...toGift(row), on_sale: row.on_sale, names: row.names }))
}

async function change(app: App, given: CommandArguments) {
  const { words, options } = given
  const gift_id = Number(words[0])
  if (!Number.isSafeInteger(gift_id) || gift_id < 1) refuse('not_found')
  const wrong = (path: string, message: string) =>
    refuse('invalid', { fields: [{ path, message }] })
  const { price, sale } = options
  if (price !== undefined && !(typeof price === 'string' && PRICE.test(price) && Number(price) > 0))
    wrong('price', '--price is a number of minutes: 5 or 7.5')
  if (sale !== undefined && sale !== 'on' && sale !== 'off') wrong('sale', '--sale is on or off')
  if (price === undefined && sale === undefined) wrong('price', 'give --price or --sale')
  await app.transact(async (tx) => {
    const former = (await store.lockGift(tx, gift_id)) ?? refuse('not_found')
    await store.changeGift(tx, gift_id, {
      ...(typeof price === 'string' && { price: fromDecimal('diamond', price) }),
      ...(sale !== undefined && { on_sale: sale === 'on' }),
    })
    const before = { price: toWire('diamond', former.price), sale: former.on_sale }
    const after = {
      price: typeof price === 'string' ? price : before.price,
      sale: sale === undefined ? before.sale : sale === 'on',
    }
    const staff = shellActor(given)
    await writeAudit(tx, { staff, act: 'gift_set', facts: { gift_id }, before, after })
  })
  return list(app)
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&-]{0,39}$/u

async function rename(app: App, given: CommandArguments) {
  const [id, lang = '', name] = given.words
  const gift_id = Number(id)
  if (!Number.isSafeInteger(gift_id) || gift_id < 1) refuse('not_found')
  if (!isLocale(lang))
    refuse('invalid', { fields: [{ path: 'lang', message: 'This is no language of the product' }] })
  if (name !== undefined && !NAME.test(name))
    refuse('invalid', { fields: [{ path: 'name', message: 'A name has 1 to 40 letters' }] })
  const named = { lang, name: name ?? null }
  await app.transact(async (tx) => {
    const { names } = (await store.lockGift(tx, gift_id)) ?? refuse('not_found')
    await store.nameGift(tx, gift_id, named)
    const staff = shellActor(given)
    const before = { name: (names as Record<string, string>)[lang] ?? null }
    const after = { name: named.name }
    await writeAudit(tx, { staff, act: 'gift_set', facts: { gift_id, lang }, before, after })
  })
  return list(app)
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'gifts list': { args: '', summary: 'Lists the gifts and their prices in minutes.', run: list },
  'gifts set': {
    args: 'GIFT_ID [--price MINUTES] [--sale on|off] [--as NAME]',
    summary: 'Changes the price of a gift, or takes it from sale.',
    run: change,
  },
  'gifts name': {
    args: 'GIFT_ID LANG [NAME] [--as NAME]',
    summary: 'Names a gift in a language. Without NAME: as the locale files do.',
    run: rename,
  },
}
