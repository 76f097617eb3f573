import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { localeComplaints } from './locale-keys.ts'

function complaints(texts: unknown, code: string, more: Record<string, unknown> = {}): string[] {
  const languages = Object.entries(more).map(([name, value]): [string, string] => [
    `packages/locales/${name}.json`,
    JSON.stringify(value),
  ])
  return localeComplaints(
    new Map([
      ['packages/locales/en.json', JSON.stringify(texts)],
      ['apps/web/src/a.tsx', code],
      ...languages,
    ]),
  )
}

test('a text that the code asks for must be there', () => {
  deepEqual(complaints({ 'call.next': 'Next' }, `t('call.next') + t('call.stop', { nick })`), [
    'apps/web/src/a.tsx: the text "call.stop" is not in en.json',
  ])
  deepEqual(complaints({}, `<Trans id="call.next" />`), [
    'apps/web/src/a.tsx: the text "call.next" is not in en.json',
  ])
})

test('a text that nobody asks for is dead', () => {
  deepEqual(complaints({ call: { next: 'Next', old: 'Old' } }, `t('call.next')`), [
    'packages/locales/en.json: nobody asks for "call.old"',
  ])
})

test('a key that is passed on as a string counts as used', () => {
  deepEqual(complaints({ 'call.next': 'Next' }, `const label_id = 'call.next'`), [])
})

test('a family of keys is used through its template, and only that family', () => {
  const texts = { 'errors.305.title': 'Gone', 'errors.305.text': 'x', 'call.305.title': 'y' }
  deepEqual(complaints(texts, 't(`errors.${code}.title`)'), [
    'packages/locales/en.json: nobody asks for "errors.305.text"',
    'packages/locales/en.json: nobody asks for "call.305.title"',
  ])
})

test('a function that happens to end in t is no question for a text', () => {
  deepEqual(complaints({}, `split('a.b'); request.t('x'); at('y.z')`), [])
})

test('another language has no keys of its own', () => {
  deepEqual(complaints({ a: 'A' }, `t('a')`, { ru: { a: 'А', b: 'Б' } }), [
    'packages/locales/ru.json: "b" is not in en.json',
  ])
})

test('before the first text there is nothing to check', () => {
  deepEqual(localeComplaints(new Map([['apps/web/src/a.tsx', `t('a.b')`]])), [])
})
