import { setupI18n } from '@lingui/core'
import { directionOf, fallbackLocale, isLocale, locales, type Locale } from '@duet/protocol/locales.ts'
import type en from '@duet/locales/en.json'

/** Every text of the interface by its id; English is the source and the fallback. */
export type TextId = keyof typeof en
type Values = Record<string, string | number>
type Catalog = Record<string, unknown>

/** One file a language, loaded one at a time; `virtual:texts/…` is compiled from `packages/locales` by the build. */
const catalogs = import.meta.glob<{ texts: Catalog }>('./texts/*.ts')

const i18n = setupI18n()

/** The text of an id in the page's language, with ICU values filled in. */
export function t(id: TextId, values?: Values): string {
  return i18n._(id, values)
}

export function currentLocale(): Locale {
  return i18n.locale as Locale
}

export async function activate(locale: Locale): Promise<void> {
  const load = catalogs[`./texts/${locale}.ts`] ?? catalogs[`./texts/${fallbackLocale}.ts`]!
  activateWith(locale, (await load()).texts)
}

/** For whoever has the catalogue at hand: the prerenderer and tests. */
export function activateWith(locale: Locale, texts: Catalog): void {
  i18n.loadAndActivate({ locale, messages: texts as never })
}

/** Tells the document which language and direction it is in. */
export function dressDocument(locale: Locale, direction: 'ltr' | 'rtl' = directionOf(locale)): void {
  document.documentElement.lang = locale
  document.documentElement.dir = direction
}

/** The language of a path (`/de/top` is German at `/top`): the prefix wins, then what was chosen, then the browser's, then English. */
export function localeOfPath(path: string, chosen: string | undefined, wanted: readonly string[]): { locale: Locale; basename: string } {
  const [, prefix = ''] = path.split('/')
  if (isLocale(prefix)) return { locale: prefix, basename: `/${prefix}` }
  if (chosen && isLocale(chosen)) return { locale: chosen, basename: '/' }
  const spoken = wanted.map((tag) => tag.toLowerCase().split('-')[0]!).find((tag) => isLocale(tag))
  return { locale: (spoken as Locale | undefined) ?? fallbackLocale, basename: '/' }
}

export { locales }
