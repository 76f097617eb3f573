import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { localeComplaints } from './locale-keys.ts'

const file = (catalogue: string) => `packages/locales/${catalogue}.json`

function complaints(texts: unknown, code: string, more: Record<string, unknown> = {}): string[] {
  const others = Object.entries(more).map(([name, value]): [string, string] => [
    file(name),
    JSON.stringify(value),
  ])
  return localeComplaints(
    new Map([[file('en/calls'), JSON.stringify(texts)], ['apps/web/src/a.tsx', code], ...others]),
  )
}

test('rejects code that asks for a text that does not exist', () => {
  deepEqual(complaints({ 'call.next': 'Next' }, `t('call.next') + t('call.stop', { nick })`), [
    'apps/web/src/a.tsx: the text "call.stop" is in no catalogue of packages/locales/en',
  ])
  deepEqual(complaints({ x: 'X' }, `'x' <Trans id="call.next" />`), [
    'apps/web/src/a.tsx: the text "call.next" is in no catalogue of packages/locales/en',
  ])
})

test('rejects a text that nothing asks for', () => {
  deepEqual(complaints({ call: { next: 'Next', old: 'Old' } }, `t('call.next')`), [
    'packages/locales/en/calls.json: nothing asks for "call.old"',
  ])
})

test('finds a text in any catalogue, and rejects a key that two catalogues have', () => {
  deepEqual(complaints({ a: 'A' }, `t('a') + t('b')`, { 'en/legal': { b: 'B' } }), [])
  deepEqual(complaints({ a: 'A' }, `t('a')`, { 'en/legal': { a: 'A' } }), [
    'packages/locales/en/legal.json: "a" is in packages/locales/en/calls.json too',
  ])
})

test('counts a key that is passed on as a string as used', () => {
  deepEqual(complaints({ 'call.next': 'Next' }, `const label_id = 'call.next'`), [])
})

test('a template uses the keys of its family, and only those', () => {
  const texts = { 'errors.305.title': 'Gone', 'errors.305.text': 'x', 'call.305.title': 'y' }
  deepEqual(complaints(texts, 't(`errors.${code}.title`)'), [
    'packages/locales/en/calls.json: nothing asks for "errors.305.text"',
    'packages/locales/en/calls.json: nothing asks for "call.305.title"',
  ])
})

test('ignores functions whose name only ends in t', () => {
  deepEqual(complaints({ x: 'X' }, `'x'; split('a.b'); request.t('x'); at('y.z')`), [])
})

test('rejects a key of another language that the English catalogue lacks', () => {
  deepEqual(complaints({ a: 'A' }, `t('a')`, { 'ru/calls': { a: 'А', b: 'Б' } }), [
    'packages/locales/ru/calls.json: "b" is not in packages/locales/en/calls.json',
  ])
  deepEqual(complaints({ a: 'A' }, `t('a')`, { 'ru/legal': { a: 'А' } }), [
    'packages/locales/ru/legal.json: "a" is not in packages/locales/en/legal.json',
  ])
})

test('rejects a text that repeats a word of every page', () => {
  const words = { 'en/app': { 'action.close': 'Close' } }
  deepEqual(complaints({ 'call.close': 'Close' }, `t('call.close') + t('action.close')`, words), [
    'packages/locales/en/calls.json: "call.close" repeats "action.close" of packages/locales/en/app.json',
  ])
  deepEqual(complaints({ 'call.close': 'Close' }, 't(`call.${x}`) + t("action.close")', words), [])
})

test('has no complaint before the first text exists', () => {
  deepEqual(localeComplaints(new Map([['apps/web/src/a.tsx', `t('a.b')`]])), [])
})
