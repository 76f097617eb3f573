import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { hasRunningTest } from './test-names.ts'

const isDeclared = (text: string, name: string) => hasRunningTest('a.test.ts', text, name)

test('the name of a test counts only where a test with it is declared and runs', () => {
  const cases: [boolean, string][] = [
    [true, "test('it holds', () => {})"],
    [true, "story('it holds', async () => {})"],
    [true, "story.with({ pool_max: 1 })('it holds', async () => {})"],
    [true, "test('it holds', { timeout: 1, skip: reason }, () => {})"],
    [true, 'test(`in ${n} it holds (seed ${seed})`, () => {})'],
    [true, "const demo = story.with({ env })\ndemo('it holds', async () => {})"],
    [false, "const demo = other({ env })\ndemo('it holds', async () => {})"],
    [false, '// it holds'],
    [false, "const name = 'it holds'"],
    [false, "test('that it holds again', () => {})"],
    [false, "test.skip('it holds', () => {})"],
    [false, "test.todo('it holds')"],
    [false, "test('it holds', { skip: true }, () => {})"],
    [false, "test('it holds', { todo: 'later' }, () => {})"],
  ]
  deepEqual(
    cases.filter(([expected, text]) => isDeclared(text, 'it holds') !== expected),
    [],
  )
})
