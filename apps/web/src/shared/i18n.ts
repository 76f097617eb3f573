import { setupI18n } from '@lingui/core'
import {
  directionOf,
  fallbackLocale,
  isLocale,
  locales,
  type Locale,
} from '@duet/protocol/kernel/locales.ts'
import type en from '@duet/locales/en.json'

/** Every text of the interface by its id; English is the source and the fallback. */
export type TextId = keyof typeof en
export type TextValues = Record<string, string | number>
export type Catalog = Record<string, unknown>

/** One catalogue a language, compiled by the build from `packages/locales` and loaded one at a time. */
const catalogs = import.meta.glob<{ texts: Catalog }>('../../../../packages/locales/??.json', {
  query: '?texts',
})

const i18n = setupI18n()
let active: Locale = fallbackLocale

/** The text of an id in the page's language, with ICU values filled in. */
export function t(id: TextId, values?: TextValues): string {
  return i18n._(id, values)
}

/** For texts whose id is put together, like those of errors by code. */
export function hasText(id: string): id is TextId {
  return Object.hasOwn(i18n.messages, id)
}

export function currentLocale(): Locale {
  return active
}

/** What `Intl` is given: Arabic keeps Latin digits, so that timers and amounts stand still. */
export function intlLocale(locale: Locale = active): string {
  return locale === 'ar' ? 'ar-u-nu-latn' : locale
}

/** Loads the language and makes it the page's. A language without a catalogue yet speaks English. */
export async function activate(
  locale: Locale,
  change: (texts: Catalog) => Catalog = (texts) => texts,
): Promise<void> {
  const load = catalogOf(locale) ?? catalogOf(fallbackLocale)!
  activateWith(locale, change((await load()).texts))
}

function catalogOf(locale: Locale) {
  return catalogs[`../../../../packages/locales/${locale}.json`]
}

/** For whoever has the catalogue at hand: the prerenderer and tests. */
export function activateWith(locale: Locale, texts: Catalog): void {
  active = locale
  i18n.loadAndActivate({ locale, locales: [intlLocale(locale)], messages: texts as never })
}

/** Tells the document which language and direction it is in. */
export function dressDocument(
  locale: Locale,
  direction: 'ltr' | 'rtl' = directionOf(locale),
): void {
  document.documentElement.lang = locale
  document.documentElement.dir = direction
}

/** The language of a path (`/de/top` is German at `/top`): the prefix wins, then what was chosen, then the browser's, then English. */
export function localeOfPath(
  path: string,
  chosen: string | undefined,
  wanted: readonly string[],
): { locale: Locale; basename: string } {
  const [, prefix = ''] = path.split('/')
  if (isLocale(prefix)) return { locale: prefix, basename: `/${prefix}` }
  if (chosen && isLocale(chosen)) return { locale: chosen, basename: '/' }
  const spoken = wanted.map((tag) => tag.toLowerCase().split('-')[0]!).find((tag) => isLocale(tag))
  return { locale: (spoken as Locale | undefined) ?? fallbackLocale, basename: '/' }
}

/** The same page in another language: `/de/top` in French is `/fr/top`. */
export function pathInLocale(path: string, locale: Locale): string {
  const [, prefix = '', ...rest] = path.split('/')
  const below = isLocale(prefix) ? rest.join('/') : path.slice(1)
  return `/${locale}/${below}`
}

export { locales }
