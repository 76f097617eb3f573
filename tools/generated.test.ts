import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { differences } from './generated.ts'

test('a generated file that changed, came or went is named', () => {
  const before = new Map([
    ['same.gen.md', 'a'],
    ['changed.gen.md', 'a'],
    ['gone.gen.md', 'a'],
  ])
  const after = new Map([
    ['same.gen.md', 'a'],
    ['changed.gen.md', 'b'],
    ['new.gen.md', 'a'],
  ])
  deepEqual(differences(before, after), ['changed.gen.md', 'gone.gen.md', 'new.gen.md'])
})
