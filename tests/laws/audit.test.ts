import { deepEqual, equal, notEqual, ok, rejects } from 'node:assert/strict'
import { mkdtemp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { type Entry, FIRST_HASH, hashEntry } from '@duet/server/modules/audit/chain.ts'
import { verifyChain, type Verified } from '@duet/server/modules/audit/queries.ts'
import { type AuditedAct, writeAudit } from '@duet/server/modules/audit/index.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'

const write = (testApp: TestApp, act: Partial<AuditedAct> = {}) =>
  testApp.app.transact((tx) =>
    writeAudit(tx, { staff: { operator: 'dana' }, act: 'ban_impose', ...act }),
  )
const verify = (testApp: TestApp, ...line: string[]) =>
  testApp.duet<Verified & { has_noted_head?: boolean }>('audit', 'verify', ...line)
/** Changes rows as the owner of the tables can. */
const tamper = (testApp: TestApp, statement: string) =>
  runAsOwner(
    testApp.database,
    'alter table audit_entries disable trigger audit_entries_append_only',
    statement,
    'alter table audit_entries enable trigger audit_entries_append_only',
  )

story('acts of staff are chained, also when they happen at once', async ({ testApp }) => {
  const empty = { ok: true, entries: 0, head: FIRST_HASH, faults: [], kept_head: 'none' }
  deepEqual(await verify(testApp), empty)
  await together(20, (n) =>
    write(testApp, {
      staff: n % 2 ? { id: n, address: `192.0.2.${n}` } : { operator: 'dana' },
      user_id: n,
      facts: { z: n / 7, a: ['x', n], until: null },
    }),
  )
  const { ok: isWhole, entries, head } = await verify(testApp)
  deepEqual([isWhole, entries], [true, 20])
  const folder = await mkdtemp(join(tmpdir(), 'audit-'))
  const file = join(folder, 'audit.jsonl')
  equal((await testApp.duet('audit', 'export', file, '--head', head)).head, head)
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
  const exported = lines.map((line) => JSON.parse(line) as Entry)
  equal((await verifyChain(exported, head)).ok, true)
  await rejects(testApp.duet('audit', 'export', file), /exists/)
  const listed = await testApp.duet<Entry[]>('audit', 'list', '--staff', '7')
  deepEqual(
    listed.map(({ user_id }) => user_id),
    [7],
  )
})

story('an entry with half of a surrogate pair stays as it was hashed', async ({ testApp }) => {
  const half = 'cut \ud83d'
  await write(testApp, {
    staff: { operator: half },
    reason: half,
    words: half,
    facts: { [half]: half, list: [half, 1], whole: 'one \u{1f600}' },
    before: { role: half },
    after: { role: half },
  })
  const { ok: isWhole, entries, faults } = await verify(testApp)
  deepEqual([isWhole, entries, faults], [true, 1, []])
  const [entry] = await testApp.duet<Entry[]>('audit', 'list')
  deepEqual(entry!.facts, {
    'cut \ufffd': 'cut \ufffd',
    list: ['cut \ufffd', 1],
    whole: 'one \u{1f600}',
  })
  deepEqual([entry!.reason, entry!.operator], ['cut \ufffd', 'cut \ufffd'])
})

story('an act that is rolled back leaves no entry', async ({ testApp }) => {
  await rejects(
    testApp.app.transact(async (tx) => {
      await writeAudit(tx, { staff: { operator: 'dana' }, act: 'ban_impose' })
      throw new Error('too late')
    }),
    /too late/,
  )
  equal((await verify(testApp)).entries, 0)
})

story('the database refuses every change of an entry', async ({ testApp }) => {
  await write(testApp)
  for (const statement of [
    `update audit_entries set reason = 'none'`,
    'delete from audit_entries',
    'truncate audit_entries',
  ])
    await rejects(runAsOwner(testApp.database, statement), /never changed or deleted/)
  equal((await verify(testApp)).ok, true)
})

story('a changed, a missing and an inserted entry are found', async ({ testApp }) => {
  for (let n = 0; n < 9; n += 1) await write(testApp, { user_id: n })
  const { head } = await verify(testApp)
  await tamper(testApp, 'update audit_entries set user_id = 77 where entry_id = 2')
  await tamper(testApp, 'delete from audit_entries where entry_id = 4')
  await tamper(
    testApp,
    `insert into audit_entries (entry_id, at, staff_id, operator, act, user_id, reason, facts, prev_hash, hash)
     select 4, at, staff_id, operator, act, user_id, reason, facts, prev_hash, '${'f'.repeat(64)}'
     from audit_entries where entry_id = 3`,
  )
  await tamper(testApp, 'delete from audit_entries where entry_id = 7')
  const found = await verify(testApp, '--head', head)
  equal(found.ok, false)
  deepEqual(
    found.faults.map(({ entry_id, fault }) => `${entry_id} ${fault}`),
    ['2 changed', '4 wrong_predecessor', '4 changed', '5 wrong_predecessor', '7 missing'],
  )
  await rejects(testApp.app.jobs.run('audit verify'), /was changed/)
  await tamper(testApp, 'delete from audit_entries where entry_id > 1')
  await testApp.app.jobs.run('audit verify')
  await testApp.app.jobs.run('audit head')
  deepEqual((await verify(testApp)).ok, true, 'the end can only be missed by a noted head')
  const cut = await verify(testApp, '--head', head)
  deepEqual([cut.ok, cut.has_noted_head], [false, false])
})

test('an entry that was written before addresses were kept has the hash that it had then', () => {
  const written = {
    entry_id: 1,
    at: Temporal.Instant.from('2026-03-01T12:00:00Z'),
    staff_id: 7,
    operator: null,
    act: 'ban_impose',
    user_id: 12,
    reason: 'spam',
    facts: { until: null, statement_id: 3 },
    address: null,
    words: null,
    before: null,
    after: null,
    prev_hash: FIRST_HASH,
  }
  equal(hashEntry(written), '5361f70cd7535f234b94014a01c8ee6f187d1fe60d1f10dbc5b2d1a9138fa920')
  notEqual(hashEntry({ ...written, address: '192.0.2.7' }), hashEntry(written))
})

test('any of 1,000 changes of a chain is found', async () => {
  const random = randomFrom(testSeed())
  const below = (end: number) => Math.floor(random() * end)
  const chain = createChain(30)
  const head = chain.at(-1)!.hash
  equal((await verifyChain(chain, head)).ok, true)
  for (let n = 0; n < 1_000; n += 1) {
    const changed = changeChain(chain, below)
    ok(!(await verifyChain(changed, head)).ok, `change ${n} was not found`)
  }
})

function createChain(length: number): Entry[] {
  const entries: Entry[] = []
  for (let entry_id = 1; entry_id <= length; entry_id += 1) {
    const entry = {
      entry_id,
      at: Temporal.Instant.fromEpochMilliseconds(1_800_000_000_000 + entry_id),
      staff_id: entry_id % 3 ? entry_id : null,
      operator: entry_id % 3 ? null : 'dana',
      act: 'ban_impose',
      user_id: entry_id * 2,
      reason: 'spam',
      facts: { amount: entry_id, places: ['call', entry_id] },
      // Every second entry has the first form.
      address: entry_id % 2 ? null : '192.0.2.7',
      words: entry_id % 4 ? null : 'You sent spam.',
      before: entry_id % 4 ? null : { role: 'owner' },
      after: null,
      prev_hash: entries.at(-1)?.hash ?? FIRST_HASH,
    }
    entries.push({ ...entry, hash: hashEntry(entry) })
  }
  return entries
}

/** Changes a value, removes or repeats an entry, exchanges two, cuts the end off, or hashes all entries again after a change. */
function changeChain(chain: readonly Entry[], below: (end: number) => number): Entry[] {
  const at = below(chain.length)
  const entry = chain[at]!
  const ways: (() => Entry[])[] = [
    () => chain.with(at, { ...entry, ...changeValue(entry, below) }),
    () => chain.toSpliced(at, 1),
    () => chain.toSpliced(at, 0, entry),
    () => chain.with(at, chain[(at + 1) % chain.length]!).with((at + 1) % chain.length, entry),
    () => chain.slice(0, at),
    () => rehash(chain.with(at, { ...entry, reason: 'a mistake' })),
  ]
  return ways[below(ways.length)]!()
}

function changeValue(entry: Entry, below: (end: number) => number): Partial<Entry> {
  const changes: Partial<Entry>[] = [
    { at: entry.at.add({ milliseconds: 1 }) },
    { staff_id: 99 },
    { operator: 'eve' },
    { act: 'ban_lift' },
    { user_id: null },
    { reason: `${entry.reason} ` },
    { facts: { amount: entry.entry_id, places: ['call', String(entry.entry_id)] } },
    { address: entry.address === null ? '192.0.2.9' : null },
    { words: `${entry.words ?? ''} ` },
    { before: null, address: '192.0.2.8' },
    { after: { role: 'manager' } },
    { address: null, words: null, before: null, after: { x: 1 } },
    { prev_hash: 'e'.repeat(64) },
    { hash: 'e'.repeat(64) },
  ]
  return changes[below(changes.length)]!
}

function rehash(chain: readonly Entry[]): Entry[] {
  let prev_hash = FIRST_HASH
  return chain.map((entry) => {
    const changed = { ...entry, prev_hash }
    prev_hash = hashEntry(changed)
    return { ...changed, hash: prev_hash }
  })
}
