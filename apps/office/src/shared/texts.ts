import { setupI18n } from '@lingui/core'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import words from '@duet/locales/en/app.json'
import errors from '@duet/locales/en/errors.json'
import office from '@duet/locales/en/office.json'
import type bulk from '@duet/locales/en/office-bulk.json'
import type checks from '@duet/locales/en/office-checks.json'
import type child from '@duet/locales/en/office-child.json'
import type payments from '@duet/locales/en/office-payments.json'
import type people from '@duet/locales/en/office-people.json'
import type removal from '@duet/locales/en/office-removal.json'
import type reports from '@duet/locales/en/office-reports.json'
import type sanctions from '@duet/locales/en/office-sanctions.json'
import type wall from '@duet/locales/en/office-wall.json'
import {
  FALLBACK_LOCALE,
  getDirection,
  isLocale,
  type Locale,
} from '@duet/protocol/kernel/locales.ts'

type Messages = Readonly<Record<string, string>>
export type OfficeText =
  | keyof typeof office
  | keyof typeof bulk
  | keyof typeof checks
  | keyof typeof child
  | keyof typeof payments
  | keyof typeof people
  | keyof typeof removal
  | keyof typeof reports
  | keyof typeof sanctions
  | keyof typeof wall
  | keyof typeof errors
  | keyof typeof words

const i18n = setupI18n()
/** The files of the other languages: texts that one lacks stay English. */
const files = import.meta.glob<{ default: Messages }>([
  '../../../../packages/locales/??/{app,errors,office,office-bulk,office-checks,office-child,office-payments,office-people,office-removal,office-reports,office-sanctions,office-wall}.json',
  '!../../../../packages/locales/en/*.json',
])
const FILES = [
  'app',
  'errors',
  'office',
  'office-bulk',
  'office-checks',
  'office-child',
  'office-payments',
  'office-people',
  'office-removal',
  'office-reports',
  'office-sanctions',
  'office-wall',
]
const FOLDER = '../../../../packages/locales'

/** The first language of the browser that the product has. */
export const locale: Locale =
  (globalThis.navigator?.languages ?? [])
    .map((tag) => tag.split('-')[0]!.toLowerCase())
    .find((tag) => isLocale(tag)) ?? FALLBACK_LOCALE

/** The language of the texts. Times, too, are written in it: an Arabic date in an English line has its parts in a wrong order. */
export const textLocale: Locale = files[`${FOLDER}/${locale}/office.json`]
  ? locale
  : FALLBACK_LOCALE

function compiled(messages: Messages) {
  return Object.fromEntries(
    Object.entries(messages).map(([id, text]) => [id, compileMessageOrThrow(text)]),
  )
}

i18n.load(locale, compiled({ ...words, ...errors, ...office }))
i18n.activate(locale)

/** Adds the English texts of a page, which are loaded together with it; texts in the browser's language stay. */
export function addTexts(messages: Messages): void {
  i18n.load(locale, { ...compiled(messages), ...i18n.messages })
}

/** Loads the texts of the browser's language. */
export async function loadTexts(): Promise<void> {
  for (const name of FILES) {
    const load = files[`${FOLDER}/${locale}/${name}.json`]
    if (load) i18n.load(locale, compiled((await load()).default))
  }
  i18n.activate(locale)
  document.documentElement.lang = textLocale
  document.documentElement.dir = getDirection(textLocale)
}

/** The text of an id, with ICU values filled in. */
export function t(id: OfficeText, values?: Record<string, string | number>): string {
  return i18n._(id, values)
}

/** Names a text whose id is chosen at run time. */
export function msg<Id extends OfficeText>(id: Id): Id {
  return id
}

/** The text of an id that the server names, such as a reason; the name itself where there is no text. */
export function textOr(
  id: string,
  fallback: string,
  values?: Record<string, string | number>,
): string {
  return Object.hasOwn(i18n.messages, id) ? i18n._(id, values) : fallback
}
