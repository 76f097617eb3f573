import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { openApi, pages, stalePages } from './generate.ts'
import { endpoints } from '../index.ts'

test('the reference pages are those of the contracts as they are now', () => {
  deepEqual(stalePages(), [], 'run npm run gen')
})

test('the same contracts give the same pages', () => {
  deepEqual(pages(), pages())
  deepEqual(openApi(), openApi())
})

test('the OpenAPI document has every endpoint once, and every reference in it leads somewhere', () => {
  const document = openApi() as {
    paths: Record<string, object>
    components: { schemas: Record<string, object> }
  }
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values<{ operationId: string }>(path as never),
  )
  deepEqual(
    operations.map(({ operationId }) => operationId).toSorted(),
    Object.keys(endpoints).toSorted(),
  )
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, to]) => to ?? '',
  )
  ok(references.length > 0)
  for (const to of references) {
    equal(to.startsWith('#/components/schemas/'), true, to)
    ok(Object.hasOwn(document.components.schemas, to.slice(to.lastIndexOf('/') + 1)), to)
  }
})
