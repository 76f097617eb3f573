import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { houseStyleComplaints } from './house-style.ts'

const PROTOCOL = 'packages/protocol/src/a.ts'
const TABLES = 'apps/server/src/core/tables.gen.ts'

const complaints = (text: string) =>
  houseStyleComplaints(
    new Map([
      ['a.ts', text],
      [PROTOCOL, 'export const Shape = z.object({ user_id: z.number() })'],
      [TABLES, 'export interface Users { created_at: Date }'],
    ]),
  )

test('a constant of a module is UPPER_SNAKE', () => {
  match(complaints('const retry_ms = 1000')[0] ?? '', /UPPER_SNAKE/)
  match(complaints('export const retryMs = 60 * 1000')[0] ?? '', /UPPER_SNAKE/)
  deepEqual(complaints('const RETRY_MS = 1000\nexport const PATTERN = /a/'), [])
})

test('locals, parameters and functions are camelCase', () => {
  equal(complaints('function f(is_open: boolean, by = 1) { const was_open = is_open }').length, 2)
  equal(complaints('export function open_it() {}').length, 1)
  equal(complaints('const g = (users_seen: number) => users_seen').length, 1)
  deepEqual(complaints('function openIt(isOpen: boolean, _unused: 1) { let count = 0 }'), [])
})

test('fields are data: they keep their names, also when they are taken out of an object', () => {
  deepEqual(complaints('const f = ({ user_id }: Row) => ({ user_id, is_open: true })'), [])
  deepEqual(complaints('function f(row: Row) { const { user_id } = row }'), [])
})

test('a local or a parameter may have the name of the wire field or the column that it carries', () => {
  deepEqual(complaints('const f = (user_id: number) => { const created_at = now() }'), [])
})

test('the shape of an object is an interface, a union is a type', () => {
  equal(complaints('type Row = { id: number }').length, 1)
  deepEqual(complaints("interface Row { id: number }\ntype Kind = 'a' | { b: 1 }"), [])
})

test('the error of a log line is named err, so that its serializer is used', () => {
  match(complaints("app.log.warn({ error, id }, 'failed')")[0] ?? '', /`err`, not `error`/)
  match(complaints("log.error({ cause: error }, 'failed')")[0] ?? '', /not `cause`/)
  deepEqual(complaints("app.log.warn({ err: error, error_id: 1 }, 'failed')"), [])
  deepEqual(complaints("other.send({ error }, 'x')"), [])
})

test('an object literal is not spread into another one', () => {
  for (const object of ['{ ...{ b, c }, d }', '{ a: 1, ...({ b: 2 } as const) }'])
    deepEqual(complaints(`f(${object})`), [
      'a.ts:1: write the fields of this spread object beside the others',
    ])
  deepEqual(complaints('f({ ...a, ...(b && { c }), ...(d ? { e } : {}) })'), [])
})
