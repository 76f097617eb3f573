import { deepEqual, equal, match, rejects } from 'node:assert/strict'
import { openTestApp, story, type TestApp } from '@duet/testkit/test-app.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { FIRST_HASH, hashEntry } from './chain.ts'
import { keepHead } from './kept-head.ts'
import { readDecisions } from './queries.ts'
import { type AuditedAct, writeAudit } from './write-audit.ts'

/** The name of the kept end among the files. */
const KEPT = 'audit-heads/latest.json'

story('every column of the log is in the hash of an entry', async ({ testApp }) => {
  await testApp.app.transact((tx) => writeAudit(tx, { staff: { operator: 'dana' }, act: 'grant' }))
  const row = await testApp.app.db.selectFrom('audit_entries').selectAll().executeTakeFirstOrThrow()
  equal(hashEntry(row), row.hash)
  const columns = Object.keys(row).filter((column) => column !== 'hash')
  const unhashed = columns.filter((column) => {
    const other = column === 'at' ? row.at.add({ seconds: 1 }) : 'another value'
    return hashEntry({ ...row, [column]: other }) === row.hash
  })
  deepEqual(unhashed, [])
})

story('a manager searches the audit log and pages through it', async ({ testApp, boris }) => {
  const manager = await openStaff(testApp, 'manager')
  const { staff } = await manager.get('v2/manager/me')
  const acts: AuditedAct[] = [
    {
      staff: { id: staff.id, address: '192.0.2.7' },
      act: 'ban_impose',
      user_id: boris.id,
      reason: 'spam',
    },
    { staff: { operator: 'dana' }, act: 'ban_lift', user_id: boris.id, facts: { statement_id: 7 } },
    { staff: { id: staff.id, address: '192.0.2.7' }, act: 'grant', user_id: 77 },
  ]
  for (const act of acts) {
    await testApp.app.transact((tx) => writeAudit(tx, act))
    await testApp.leap('60 s')
  }
  const search = async (query: Record<string, string | number>) =>
    (await manager.get('v2/manager/audit', query)).items
      .filter(({ act }: { act: string }) => acts.some((one) => one.act === act))
      .map(({ act }: { act: string }) => act)
  deepEqual(await search({}), ['grant', 'ban_lift', 'ban_impose'])
  deepEqual(await search({ user_id: boris.id }), ['ban_lift', 'ban_impose'])
  deepEqual(await search({ staff_id: staff.id }), ['grant', 'ban_impose'])
  deepEqual(await search({ operator: 'dana', act: 'ban_lift' }), ['ban_lift'])
  const before = testApp.clock.now().subtract({ seconds: 90 }).toString()
  deepEqual(await search({ from: before }), ['grant'])
  deepEqual(await search({ to: before }), ['ban_lift', 'ban_impose'])
  const first = await manager.get('v2/manager/audit', { 'per-page': 1 })
  equal(first.next, true)
  equal(first.items[0]!.email, 'manager@duet.example')
  const second = await manager.get('v2/manager/audit', {
    'per-page': 1,
    before: first.items[0]!.id,
  })
  deepEqual(
    [second.items[0]!.act, second.items[0]!.operator, second.items[0]!.facts],
    ['ban_lift', 'dana', { statement_id: 7 }],
  )
})

story.with({ env: { TRUSTED_PROXIES: '1' } })(
  'an entry has the address of the person, what the user reads, and what the act changes',
  async ({ testApp, boris }) => {
    const manager = await openStaff(testApp, 'manager')
    manager.proxy_headers = { 'x-forwarded-for': '84.1.2.3' }
    const comment = 'You sent an advertisement.'
    await manager.post('v2/manager/warning/impose', {
      user_id: boris.id,
      reason: 'contacts',
      comment,
    })
    await testApp.duet('settings', 'set', 'call_flag_days', '31', '--as', 'olga')
    await testApp.duet('settings', 'set', 'call_flag_days', '32', '--as', 'olga')
    const { items } = await manager.get('v2/manager/audit')
    const seen = items.map(({ act, address, words, before, after }) => [
      act,
      address,
      words,
      before,
      after,
    ])
    deepEqual(seen.slice(0, 1), [
      ['setting_change', null, null, { call_flag_days: '31' }, { call_flag_days: '32' }],
    ])
    deepEqual(seen[2], ['warning_impose', '84.1.2.3', comment, null, null])
    const answer = await fetch(`${testApp.origin}/api/v2/manager/audit/export?act=warning_impose`, {
      headers: { cookie: manager.cookie! },
    })
    const line = JSON.parse(await answer.text()) as Record<string, unknown>
    deepEqual([line['address'], line['words']], ['84.1.2.3', comment])
    equal((await manager.get('v2/manager/audit/verify')).ok, true)
  },
)

story('looks take no place among the decisions that are read of a shift', async ({ testApp }) => {
  const manager = await openStaff(testApp, 'manager')
  const { id: staff_id } = (await manager.get('v2/manager/me')).staff
  const { app } = testApp
  const from = app.clock.now()
  const staff = { id: staff_id, address: '192.0.2.7' }
  const write = (of: Pick<AuditedAct, 'act' | 'load'>) =>
    app.transact((tx) => writeAudit(tx, { staff, ...of }))
  await write({ act: 'callback_settle', load: 'severe' })
  for (const _ of [1, 2, 3]) await write({ act: 'complaint_view' })
  deepEqual(
    (await readDecisions(app.db, { staff_id, from }, 2)).map(({ load }) => load),
    ['severe'],
  )
})

story('a manager verifies and exports the audit log', async ({ testApp }) => {
  const manager = await openStaff(testApp, 'manager')
  const answer = await fetch(`${testApp.origin}/api/v2/manager/audit/export`, {
    headers: { cookie: manager.cookie! },
  })
  const text = await answer.text()
  match(text.trimEnd().split('\n').at(-1)!, /"act":"audit_export".*"hash":"[0-9a-f]{64}"/)
  const { ok, head } = await manager.get('v2/manager/audit/verify')
  equal(ok, true)
  equal((await manager.get('v2/manager/audit/verify', { head })).has_noted_head, true)
  const other = FIRST_HASH.replace('0', '1')
  equal((await manager.get('v2/manager/audit/verify', { head: other })).ok, false)
})

story(
  'an export has the entries of its filters only, and its own entry says which',
  async ({ testApp, boris, carl }) => {
    const manager = await openStaff(testApp, 'manager')
    const staff = { operator: 'dana' }
    for (const { id: user_id } of [boris, carl])
      for (const act of ['ban_impose', 'ban_lift'] as const) {
        await testApp.app.transact((tx) => writeAudit(tx, { staff, act, user_id }))
        await testApp.leap('60 s')
      }
    const exported = async (query: Record<string, string>) => {
      const path = `api/v2/manager/audit/export?${new URLSearchParams(query)}`
      const answer = await fetch(`${testApp.origin}/${path}`, {
        headers: { cookie: manager.cookie! },
      })
      const lines = (await answer.text()).trimEnd().split('\n')
      return lines
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as { act: string; user_id: number })
        .map(({ act, user_id }) => [act, user_id])
    }
    const ofBoris = { user_id: String(boris.id), operator: 'dana' }
    deepEqual(await exported(ofBoris), [
      ['ban_impose', boris.id],
      ['ban_lift', boris.id],
    ])
    deepEqual(await exported({ ...ofBoris, act: 'ban_lift' }), [['ban_lift', boris.id]])
    const before = testApp.clock.now().subtract({ seconds: 90 }).toString()
    deepEqual(await exported({ operator: 'dana', from: before }), [['ban_lift', carl.id]])
    deepEqual(await exported({ operator: 'nina' }), [])
    const [own] = (await manager.get('v2/manager/audit', { act: 'audit_export' })).items
    deepEqual(
      [own!.user_id, own!.facts],
      [null, { by_staff: null, by_operator: 'nina', act: null, from: null, to: null }],
    )
  },
)

story('an end that is not kept any more is found, a young log has none', async ({ testApp }) => {
  const { app } = testApp
  const act = () =>
    app.transact((tx) => writeAudit(tx, { staff: { operator: 'dana' }, act: 'grant' }))
  const kept = async () => {
    const { ok, kept_head } = await testApp.duet<{ ok: boolean; kept_head: string }>(
      'audit',
      'verify',
    )
    return [ok, kept_head]
  }
  await testApp.leap('11 min')
  deepEqual(await kept(), [true, 'none'], 'an empty log has no end')
  await act()
  await testApp.leap('10 min')
  deepEqual(await kept(), [true, 'none'])
  await testApp.leap('1 s')
  deepEqual(await kept(), [false, 'none'])
  await rejects(app.jobs.run('audit verify'), /its end is not kept/)
  await app.jobs.run('audit head')
  await testApp.leap('10 min')
  deepEqual(await kept(), [true, 'found'])
  await testApp.leap('1 s')
  await act()
  deepEqual(await kept(), [false, 'stale'])
  await rejects(app.jobs.run('audit verify'), /its end is not kept/)
  const manager = await openStaff(testApp, 'manager')
  const { ok, faults, kept_head } = await manager.get('v2/manager/audit/verify')
  deepEqual([ok, faults, kept_head], [false, [], 'stale'])
  await app.jobs.run('audit head')
  deepEqual(await kept(), [true, 'found'])
})

story(
  'a log that lost its end is found by the end that is kept with the files',
  async ({ testApp }) => {
    const other = await openTestApp()
    try {
      const { app } = testApp
      const act = (of: TestApp) =>
        of.app.transact((tx) => writeAudit(tx, { staff: { operator: 'dana' }, act: 'grant' }))
      const verify = () => testApp.duet<{ ok: boolean; kept_head: string }>('audit', 'verify')
      await act(testApp)
      equal((await verify()).kept_head, 'none')
      await keepHead(app)
      await act(testApp)
      await keepHead(app)
      equal((await verify()).kept_head, 'found')
      // The same installation with the shorter log of a cut-off or restored database.
      await act(other)
      const kept = (await app.storage.get(KEPT))!
      await other.app.storage.put(KEPT, kept)
      const { ok, kept_head } = await other.duet<{ ok: boolean; kept_head: string }>(
        'audit',
        'verify',
      )
      deepEqual([ok, kept_head], [false, 'missing'])
      await rejects(keepHead(other.app), /is missing/)
      deepEqual(await other.app.storage.get(KEPT), kept, 'it stays until a person accepts the loss')
      await other.duet('audit', 'accept-end', '--comment', 'restored')
      equal((await other.duet<{ kept_head: string }>('audit', 'verify')).kept_head, 'found')
      const text = kept.toString('utf8')
      for (const wrong of ['', '{}', text.replace(/"entries":\d+/, '"entries":1')]) {
        await app.storage.put(KEPT, Buffer.from(wrong))
        deepEqual([(await verify()).ok, (await verify()).kept_head], [false, 'forged'])
      }
    } finally {
      await other.close()
    }
  },
)
