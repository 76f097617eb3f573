import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { typeNameComplaints } from './type-names.ts'

const complaints = (files: Record<string, string>) =>
  typeNameComplaints(new Map(Object.entries(files)))

test('a type name that two files export is one complaint with both places', () => {
  deepEqual(
    complaints({ 'a.ts': 'export interface Offer { id: 1 }', 'b.ts': '\nexport type Offer = 1' }),
    ['a.ts:1: the type Offer is also declared at b.ts:2'],
  )
})

test('classes are types too', () => {
  equal(complaints({ 'a.ts': 'export class Offer {}', 'b.ts': 'export type Offer = 1' }).length, 1)
})

test('a re-export, a private type, a const beside its type and a test are no second declaration', () => {
  deepEqual(
    complaints({
      'a.ts': 'export const Offer = 1\nexport type Offer = 1',
      'index.ts': "export type { Offer } from './a.ts'",
      'b.ts': 'interface Offer { id: 1 }',
      'a.test.ts': 'export type Offer = 1',
    }),
    [],
  )
})
