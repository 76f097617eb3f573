import { join } from 'node:path'
import type { Plugin } from 'vite'
import { FIRST_ROUTE_TEXTS } from '../src/app/start/first-route.ts'
import { createCatalogSearch, type CatalogSearch, isSource } from './text-catalogs.ts'

const SOURCE = join(import.meta.dirname, '../src')
const I18N = join(SOURCE, 'shared/i18n.ts')
/** The start of the application chooses the language, and loads the texts of the first route by their list. */
const START = [join(SOURCE, 'main.ts'), join(SOURCE, 'app/start/')]

/**
 * Adds the texts to each dynamically imported part. Each `import('./x.tsx')` also loads the catalogues of the text ids
 * in the file and in its static imports. Each `withTexts(…)` also loads the catalogues of its callback. In development
 * a module keeps its list until the module itself changes.
 */
export function screenTextsPlugin(): Plugin {
  const search = createCatalogSearch()
  return {
    name: 'duet:screen-texts',
    enforce: 'pre',
    transform(code, id) {
      if (!isSource(id) || /\.test\.tsx?$/.test(id)) return undefined
      if (START.some((start) => id.startsWith(start))) return undefined
      return withCatalogs(id, code, search)
    },
    watchChange: (id) => void search.forget(id),
  }
}

/** The module with the lists of catalogues. Undefined if the module needs no lists. */
export function withCatalogs(
  file: string,
  code: string,
  search: CatalogSearch,
): string | undefined {
  const { dynamic_imports, notice_callbacks } = search.read(file, code)
  const insertions: { readonly at: number; readonly text: string }[] = []
  for (const { start, end, file: target } of dynamic_imports) {
    const names = laterOnly(search.namesFor(target))
    if (names.length === 0) continue
    insertions.push({ at: start, text: 'importWithTexts(() => ' })
    insertions.push({ at: end, text: `, ${JSON.stringify(names)})` })
  }
  for (const { end, ids } of notice_callbacks)
    insertions.push({ at: end, text: `, ${JSON.stringify(laterOnly(search.findNames(ids)))}` })
  if (insertions.length === 0) return undefined
  let written = code
  for (const { at, text } of insertions.toSorted((one, other) => other.at - one.at))
    written = written.slice(0, at) + text + written.slice(at)
  if (dynamic_imports.length === 0) return written
  // On the first line, so that every statement keeps its line.
  return `import { importWithTexts } from ${JSON.stringify(I18N)};${written}`
}

/** The application loads these catalogues first, for every screen. */
function laterOnly(names: readonly string[]): string[] {
  return names.filter((name) => !FIRST_ROUTE_TEXTS.some((first) => first === name))
}
