import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type I18n, setupI18n } from '@lingui/core'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import {
  FALLBACK_LOCALE,
  getDirection,
  isLocale,
  type Locale,
} from '@duet/protocol/kernel/locales.ts'
import { assert } from '../lib/assert.ts'

/** The catalogues of `packages/locales` that the server writes from; the others are the web client's alone. */
type ServerCatalogue = 'mail' | 'notices' | 'gifts' | 'receipts'
type Messages = Readonly<Record<string, string>>

/** The texts never change while the server runs. */
const compiled = new Map<string, { readonly i18n: I18n; readonly ids: ReadonlySet<string> }>()

/** The text in the user's language, in English where that language does not have it; ICU values are filled in. */
export function serverText(
  locale: string,
  catalogue: ServerCatalogue,
  id: string,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const { i18n, ids } = getTexts(isLocale(locale) ? locale : FALLBACK_LOCALE, catalogue)
  assert(ids.has(id), `the text ${id} is in the catalogue ${catalogue}`)
  return i18n._(id, values)
}

export function hasServerText(catalogue: ServerCatalogue, id: string): boolean {
  return getTexts(FALLBACK_LOCALE, catalogue).ids.has(id)
}

/** The direction of the texts of a catalogue: without texts in the user's language they are English. */
export function textDirection(locale: string, catalogue: ServerCatalogue): 'ltr' | 'rtl' {
  const isOwn = isLocale(locale) && Object.keys(read(locale, catalogue)).length > 0
  return getDirection(isOwn ? locale : FALLBACK_LOCALE)
}

function getTexts(locale: Locale, catalogue: ServerCatalogue) {
  const name = `${locale}/${catalogue}`
  let texts = compiled.get(name)
  if (!texts) compiled.set(name, (texts = compile(locale, catalogue)))
  return texts
}

function compile(locale: Locale, catalogue: ServerCatalogue) {
  const sources = { ...read(FALLBACK_LOCALE, catalogue), ...read(locale, catalogue) }
  const messages = Object.fromEntries(
    Object.entries(sources).map(([id, text]) => [id, compileMessageOrThrow(text)]),
  )
  const i18n = setupI18n()
  i18n.loadAndActivate({ locale, messages })
  return { i18n, ids: new Set(Object.keys(sources)) }
}

function read(locale: Locale, catalogue: ServerCatalogue): Messages {
  const file = fileURLToPath(import.meta.resolve(`@duet/locales/${locale}/${catalogue}.json`))
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Messages) : {}
}
