import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FIRST_ROUTE_TEXTS } from '../src/app/start/first-route.ts'
import { withCatalogs } from './screen-texts-plugin.ts'
import { createCatalogSearch } from './text-catalogs.ts'

const source = join(import.meta.dirname, '../src')
const search = createCatalogSearch()
const feature = join(source, 'features/legal/feature.tsx')

test('a part that is imported dynamically comes with the catalogues of its text ids', () => {
  const written = withCatalogs(feature, "const load = () => import('./legal-dialogs.tsx')", search)
  expect(written).toContain(`importWithTexts(() => import('./legal-dialogs.tsx'), ["legal"])`)
})

test('a notice comes with the catalogues of its callback, and the part around it without them', () => {
  const code = "withTexts(() => showToast({ title: t('notice.balance_coins') }))"
  expect(withCatalogs(feature, code, search)).toBe(
    `withTexts(() => showToast({ title: t('notice.balance_coins') }), ["ledger"])`,
  )
  expect(search.read(feature, code).ids).toEqual([])
})

test('a computed text id names every catalogue that has such an id', () => {
  const { ids } = search.read(feature, 't(`verification.step.${step}`)')
  expect(ids).toContain('verification.step.selfie')
  expect(search.findNames(ids)).toEqual(['verification'])
})

test('a computed text id without a fixed prefix is an error', () => {
  expect(() => search.read(feature, 't(`${area}.title`)')).toThrow('no fixed prefix')
})

test('what is loaded before the first screen needs the texts of the first route only', () => {
  const start = [
    'main.ts',
    'app/start/start.tsx',
    'app/application.tsx',
    'app/runtime/open-runtime.ts',
  ]
  const names = start.flatMap((file) => search.namesFor(join(source, file)))
  expect(FIRST_ROUTE_TEXTS).toEqual(expect.arrayContaining(names))
})
