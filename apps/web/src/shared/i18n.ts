import { setupI18n } from '@lingui/core'
import {
  getDirection,
  FALLBACK_LOCALE,
  isLocale,
  locales,
  type Locale,
} from '@duet/protocol/kernel/locales.ts'
import type app from '@duet/locales/en/app.json'
import type errors from '@duet/locales/en/errors.json'
import type frame from '@duet/locales/en/frame.json'
import type system from '@duet/locales/en/system.json'
import type translation from '@duet/locales/en/translation.json'

/**
 * The catalogues of texts. Each feature adds a catalogue by augmenting this interface. The other catalogues belong to
 * `app/`.
 */
export interface TextCatalogs {
  /** Needed before anything else is loaded. */
  app: typeof app
  /** Refusals and failures. */
  errors: typeof errors
  /** The navigation around the pages of members. */
  frame: typeof frame
  /** Notices about the connection, and the page that was not found. */
  system: typeof system
  /** In the messenger and in calls: the switch of translations and the line under a translated text. */
  translation: typeof translation
}

export type CatalogName = keyof TextCatalogs
/** Every text of the interface by its id. English is the source and the fallback. */
export type TextId = { [Name in CatalogName]: keyof TextCatalogs[Name] }[CatalogName]
export type TextValues = Record<string, string | number>
export type Texts = Record<string, unknown>

/**
 * A file for each language and feature. The build compiles the files from `packages/locales`. The feature's screens
 * load them. Only the server uses the texts of mails, and only the back office its own.
 */
const files = import.meta.glob<{ texts: Texts }>(
  [
    '../../../../packages/locales/??/*.json',
    '!../../../../packages/locales/??/{mail,office,office-*}.json',
  ],
  { query: '?texts' },
)
const FOLDER = '../../../../packages/locales'

const i18n = setupI18n()
let activeLocale: Locale = FALLBACK_LOCALE
let transform = (texts: Texts): Texts => texts
const loading = new Map<CatalogName, Promise<void>>()

/** The text of an id in the page's language, with ICU values filled in. Its catalogue must be loaded. */
export function t(id: TextId, values?: TextValues): string {
  return i18n._(id, values)
}

/** For texts whose id is computed, such as the texts of refusals. */
export function hasText(id: string): id is TextId {
  return Object.hasOwn(i18n.messages, id)
}

export function currentLocale(): Locale {
  return activeLocale
}

/** The locale for `Intl`. Arabic keeps Latin digits, so that the width of timers and amounts is stable. */
export function intlLocale(locale: Locale = activeLocale): string {
  return locale === 'ar' ? 'ar-u-nu-latn' : locale
}

/** Loads catalogues in the page's language, each once. A part that is imported dynamically comes with its own. */
export async function loadTexts(...names: readonly CatalogName[]): Promise<void> {
  await Promise.all(names.map((name) => loading.get(name) ?? startLoading(name)))
}

function startLoading(name: CatalogName): Promise<void> {
  const load = fetchTexts(activeLocale, name)
  loading.set(name, load)
  // A failed load is tried again when the catalogue is next needed.
  load.catch(() => loading.delete(name))
  return load
}

async function fetchTexts(locale: Locale, name: CatalogName): Promise<void> {
  const load = resolveFile(locale, name) ?? resolveFile(FALLBACK_LOCALE, name)!
  const { texts } = await load()
  if (locale === activeLocale) i18n.load(locale, { ...transform(texts) } as never)
}

function resolveFile(locale: Locale, name: CatalogName) {
  return files[`${FOLDER}/${locale}/${name}.json`]
}

/**
 * For code without a screen, such as a notice: runs the callback once its texts are loaded. If the texts cannot be
 * loaded, the callback never runs. The build adds the names of the catalogues (`build/screen-texts-plugin.ts`).
 */
export function withTexts(run: () => void, names: readonly CatalogName[] = []): void {
  void loadTexts(...names).then(run, () => {})
}

/**
 * The build puts this function around each dynamic import of a part that shows texts.
 *
 * @public no source file names it
 */
export async function importWithTexts<Module>(
  load: () => Promise<Module>,
  names: readonly CatalogName[],
): Promise<Module> {
  const [module] = await Promise.all([load(), loadTexts(...names)])
  return module
}

/** Every catalogue of the source language. */
export function catalogNames(): CatalogName[] {
  const prefix = `${FOLDER}/${FALLBACK_LOCALE}/`
  return Object.keys(files)
    .filter((path) => path.startsWith(prefix))
    .map((path) => path.slice(prefix.length, -'.json'.length) as CatalogName)
}

/** The languages with texts of their own. In other languages the interface is English. */
export function translatedLocales(): Locale[] {
  return (Object.keys(locales) as Locale[]).filter((locale) => resolveFile(locale, 'landing'))
}

/**
 * Makes the language active and loads its catalogues, by default all of them. A language without catalogues uses the
 * English texts. `change` transforms every text, also texts that are loaded later.
 */
export async function activate(
  locale: Locale,
  names: readonly CatalogName[] = catalogNames(),
  change: (texts: Texts) => Texts = (texts) => texts,
): Promise<void> {
  activeLocale = locale
  transform = change
  loading.clear()
  i18n.loadAndActivate({ locale, locales: [intlLocale(locale)], messages: {} })
  await loadTexts(...names)
}

/** Sets language and direction of the document. */
export function setDocumentLanguage(
  locale: Locale,
  direction: 'ltr' | 'rtl' = getDirection(locale),
): void {
  document.documentElement.lang = locale
  document.documentElement.dir = direction
}

/** The language of a path (`/de/top` is German at `/top`): first the prefix, then the stored choice, then the browser's languages, then English. */
export function localeOfPath(
  path: string,
  chosen: string | undefined,
  browserLanguages: readonly string[],
): { locale: Locale; basename: string } {
  const [, prefix = ''] = path.split('/')
  if (isLocale(prefix)) return { locale: prefix, basename: `/${prefix}` }
  if (chosen && isLocale(chosen)) return { locale: chosen, basename: '/' }
  const preferred = browserLanguages
    .map((tag) => tag.toLowerCase().split('-')[0]!)
    .find((tag) => isLocale(tag))
  return { locale: (preferred as Locale | undefined) ?? FALLBACK_LOCALE, basename: '/' }
}

/** The same page in another language: `/de/top` in French is `/fr/top`. */
export function pathInLocale(path: string, locale: Locale): string {
  const [, prefix = '', ...rest] = path.split('/')
  const below = isLocale(prefix) ? rest.join('/') : path.slice(1)
  return `/${locale}/${below}`
}

export { locales }
