import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { sqlWriteComplaints } from './sql-writes.ts'

const complaints = (name: string, text: string) =>
  sqlWriteComplaints(new Map([[`apps/server/src/modules/gifts/${name}`, text]]))

test('a write outside of the store is named with its place', () => {
  deepEqual(complaints('give-gift.ts', 'const x = 1\nsql`insert into gift (id) values (${x})`'), [
    'apps/server/src/modules/gifts/give-gift.ts:2: "insert into" writes; a write belongs to the module\'s store.ts',
  ])
  equal(complaints('give-gift.ts', 'sql`update gift g\n set x = 1`').length, 1)
  equal(complaints('give-gift.ts', "tx.db.deleteFrom('gift').execute()").length, 1)
})

test('the store writes, everything else reads', () => {
  deepEqual(complaints('store.ts', 'sql`delete from gift`'), [])
  deepEqual(complaints('gift-store.ts', 'sql`delete from gift`'), [])
  deepEqual(complaints('queries.ts', 'sql`select updated_at from gift for update`'), [])
  deepEqual(complaints('gifts.test.ts', 'sql`delete from gift`'), [])
})
