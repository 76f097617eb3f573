import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { unzipSync } from 'fflate'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { runAsOwner } from '@duet/testkit/database/run-as-owner.ts'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { pictureBytes, uploadImage } from '@duet/testkit/uploads.ts'

interface Manifest {
  readonly seal: string
  readonly files: readonly { name: string; kind: string; source: string; sha256: string }[]
}

/** A complaint about a minor in a call that the two just had. */
async function sealedCase(testApp: TestApp, guy: TestUser, girl: TestUser): Promise<number> {
  const { session_id, connect } = await inCall(testApp, { guy, girl })
  await connect()
  await girl.act('TEXT_CHAT_MESSAGE', { session_id, id: 'a', text: 'I am 15' })
  const said = { reason: 'child', user_id: girl.id, comment: '', session_id } as const
  const { complaint_id } = await guy.act('TO_COMPLAIN', said)
  await testApp.settle()
  return complaint_id
}

const acts = async (testApp: TestApp) => {
  const rows = await testApp.app.db
    .selectFrom('audit_entries')
    .select(['act', 'operator'])
    .execute()
  return rows
    .filter(({ act }) => /^(seal|approval)/.test(act))
    .map(({ act, operator }) => `${operator} ${act}`)
}

story(
  'the database refuses to delete or to change sealed evidence',
  async ({ testApp, boris, anna }) => {
    const id = await sealedCase(testApp, boris, anna)
    for (const statement of [
      'delete from evidence_files',
      'truncate evidence_files',
      'update evidence_files set is_sealed = false',
      "update evidence_files set sha256 = ''",
      "update evidence_files set content = 'other'",
      'update evidence_files set user_id = user_id - 1',
      'delete from complaints',
    ])
      await rejects(runAsOwner(testApp.database, statement), statement)
    const { file_id } = await testApp.app.db
      .selectFrom('evidence_files')
      .select('file_id')
      .executeTakeFirstOrThrow()
    await testApp.app.transact((tx) => tx.enqueue('evidence_files', { file_id }))
    await testApp.settle()
    const look = () =>
      testApp.duet<{ files: { is_whole: boolean }[] }>('seal', 'show', id, '--as', 'olga')
    deepEqual(
      (await look()).files.map(({ is_whole }) => is_whole),
      [true],
    )
    await testApp.app.storage.put(`evidence/${file_id}.bin`, Buffer.from('other'))
    deepEqual(
      (await look()).files.map(({ is_whole }) => is_whole),
      [false],
    )
    deepEqual(await acts(testApp), ['olga seal_view', 'olga seal_view'])
  },
)

story(
  'what a complaint names is copied, also when the storage fails until after the decision and the deletion',
  async ({ testApp, boris, anna }) => {
    const { storage } = testApp.app
    const { id: media_id } = await uploadImage(anna, 'gallery', await pictureBytes())
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const { get } = storage
    storage.get = () => Promise.reject(new Error('the storage is down'))
    // The picture is named only by the second, graver complaint.
    await boris.act('PANIC', { session_id })
    const about = { session_id, media_id: String(media_id) }
    const said = { reason: 'child', user_id: anna.id, comment: '', ...about } as const
    const { complaint_id } = await boris.act('TO_COMPLAIN', said)
    const decided = ['--decision', 'no_violation', '--comment', 'x'] as const
    await testApp.duet('complaints', 'decide', complaint_id, ...decided)
    await anna.post('gallery/media/delete', { id: String(media_id) })
    await testApp.settle()
    storage.get = get
    await testApp.advance('1 min')
    await testApp.running.outbox.poll()
    await testApp.settle()
    const { files } = await testApp.duet<{ files: { kind: string; is_whole: boolean }[] }>(
      ...(['seal', 'show', complaint_id, '--as', 'olga'] as const),
    )
    deepEqual(files.map(({ kind, is_whole }) => [kind, is_whole]).toSorted(), [
      ['picture', true],
      ['record', true],
    ])
    deepEqual(await testApp.duet('hold', 'list'), { holds: [] })
  },
)

story(
  'each look at sealed evidence is recorded, and shows nothing if the record fails',
  async ({ testApp, boris, anna }) => {
    const { id: media_id } = await uploadImage(anna, 'gallery', await pictureBytes())
    const about = { user_id: anna.id, comment: '', media_id: String(media_id) }
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const said = { reason: 'child', session_id, ...about } as const
    const { complaint_id } = await boris.act('TO_COMPLAIN', said)
    await testApp.settle()
    const mia = await openStaff(testApp, 'manager', 'mia@duet.example')
    const looks = [
      `v2/manager/sealed/${complaint_id}`,
      `v2/manager/complaints/${complaint_id}`,
      `v2/manager/complaints/${complaint_id}/evidence/picture?source=${String(media_id)}`,
    ]
    const see = async (path: string) =>
      (await fetch(`${testApp.origin}/api/${path}`, { headers: { cookie: mia.cookie! } })).status
    const recorded = async () =>
      (await auditedActs(testApp)).filter((act) => act.endsWith('_view')).toReversed()
    const statuses = async () => {
      const seen = []
      for (const path of looks) seen.push(await see(path))
      return seen
    }
    deepEqual(await statuses(), [200, 200, 200])
    await testApp.duet('seal', 'show', complaint_id, '--as', 'olga')
    const acts = ['seal_view', 'complaint_view', 'complaint_view', 'seal_view']
    deepEqual(await recorded(), acts)
    await runAsOwner(
      testApp.database,
      `create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`,
      'create trigger refuse_entry before insert on audit_entries execute function refuse_entry()',
    )
    deepEqual(await statuses(), [500, 500, 500])
    await rejects(testApp.duet('seal', 'show', complaint_id, '--as', 'olga'))
    deepEqual(await recorded(), acts)
  },
)

story('the data of a decided case is held and released', async ({ testApp, boris, anna }) => {
  const id = await sealedCase(testApp, boris, anna)
  const held = async () => {
    const [one] = await testApp.duet<{ is_held: boolean; seal: string }[]>('seal', 'list')
    return one?.is_held
  }
  const line = (word: string) =>
    testApp.duet('seal', word, id, '--reason', 'the court asks', '--as', 'olga')
  equal(await held(), true)
  // While no one has decided, nothing is released.
  await rejects(line('release'))
  await testApp.duet(
    ...(['complaints', 'decide', id, '--decision', 'no_violation', '--comment', 'x'] as const),
  )
  equal(await held(), false)
  for (const _ of [1, 2]) await line('hold')
  equal(await held(), true)
  for (const _ of [1, 2]) await line('release')
  equal(await held(), false)
  deepEqual(await acts(testApp), ['olga seal_hold', 'olga seal_release'])
})

story(
  'sealed evidence leaves once, when one manager asks and another allows, and none of the two that it is about',
  async ({ testApp, boris, anna }) => {
    const id = await sealedCase(testApp, boris, anna)
    let mia = await openStaff(testApp, 'manager', 'mia@duet.example')
    const otto = await openStaff(testApp, 'owner', 'otto@duet.example')
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const accused = await openStaff(testApp, 'manager', String(anna.user['email']))
    const reason = { reason: 'police report 17' }
    const { items } = await mia.get('v2/manager/sealed')
    deepEqual(
      items.map((one) => [one.id, one.accused.id, one.files, one.held]),
      [[id, anna.id, 1, true]],
    )
    await dana.isRefused('role_forbidden', () => dana.get('v2/manager/sealed'))
    await accused.isRefused('role_forbidden', () => accused.get(`v2/manager/sealed/${id}`))
    await mia.isRefused('not_found', () => mia.get('v2/manager/sealed/999'))
    const ask = () => mia.post(`v2/manager/sealed/${id}/exports`, reason)
    const { export_id } = await ask()
    deepEqual(await ask(), { export_id })
    const allow = (staff: TestUser) => staff.post(`v2/manager/approvals/${export_id}/allow`)
    const waiting = async (staff: TestUser) =>
      (await staff.get('v2/manager/queues')).queues.find(({ queue }) => queue === 'approvals')
        ?.waiting
    deepEqual([await waiting(mia), await waiting(otto), await waiting(dana)], [1, 1, undefined])
    deepEqual(
      (await otto.get('v2/manager/approvals')).approvals.map((one) => [one.act, one.facts]),
      [['sealed_export', [{ name: 'complaint_id', value: String(id) }]]],
    )
    const zipped = (of: TestUser) =>
      fetch(`${testApp.origin}/api/v2/manager/sealed/${id}/exports/${export_id}/files`, {
        headers: { 'client-version': '2.0.0', cookie: of.cookie! },
      })
    equal((await zipped(mia)).status, 403)
    const complainer = await openStaff(testApp, 'manager', String(boris.user['email']))
    const plus = await openStaff(testApp, 'manager', 'mia+2@duet.example')
    await mia.isRefused('role_forbidden', () => allow(mia))
    // The next session of the same person.
    mia = await openStaff(testApp, 'manager', 'Mia@duet.example')
    for (const one of [mia, plus, accused, complainer, dana])
      await one.isRefused('role_forbidden', () => allow(one))
    const own = "update approvals set allowed_by = 'MIA+3@duet.example', allowed_at = now()"
    await rejects(runAsOwner(testApp.database, own), /approvals_two_people/)
    await allow(otto)
    await testApp.advance('3 s')
    deepEqual([await waiting(mia), await waiting(otto)], [0, 0])
    equal((await zipped(otto)).status, 403)
    const zip = unzipSync(new Uint8Array(await (await zipped(mia)).arrayBuffer()))
    equal((await zipped(mia)).status, 404)
    deepEqual(Object.keys(zip).toSorted(), ['manifest.json', 'record.json'])
    const manifest = JSON.parse(Buffer.from(zip['manifest.json']!).toString()) as Manifest
    deepEqual(
      manifest.files.map(({ name, sha256 }) => [name, sha256]),
      [['record.json', createHash('sha256').update(zip['record.json']!).digest('hex')]],
    )
    const lines = manifest.files.map(({ kind, source, sha256 }) => `${kind} ${source} ${sha256}`)
    equal(createHash('sha256').update(lines.join('\n')).digest('hex'), manifest.seal)
    deepEqual(
      (await acts(testApp)).map((line) => line.replace('null ', '')),
      ['approval_ask', 'approval_allow', 'approval_use', 'seal_export'],
    )
    ok(Buffer.from(zip['record.json']!).toString().includes('I am 15'))
    const shown = await mia.get(`v2/manager/sealed/${id}`)
    deepEqual(
      (shown['exports'] as Record<string, unknown>[]).map((one) => [
        one['asked_by'],
        one['allowed_by'],
        one['state'],
      ]),
      [['mia@duet.example', 'otto@duet.example', 'used']],
    )
    const hold = (held: boolean) => mia.post(`v2/manager/sealed/${id}/hold`, { ...reason, held })
    await mia.isRefused('not_found', () => hold(false))
    await hold(true)
    // The proof of the own factors is old.
    await testApp.leap('2 h')
    await mia.isRefused('second_factor', ask)
    await mia.isRefused('second_factor', () => hold(true))
    await otto.isRefused('second_factor', () => allow(otto))
    equal((await zipped(mia)).status, 401)
    // No command of the shell exports: a name there proves no second person.
    await rejects(testApp.duet('seal', 'export', String(export_id), '--as', 'olga'))
  },
)

story('a request and an allowed export end after a day', async ({ testApp, boris, anna }) => {
  const id = await sealedCase(testApp, boris, anna)
  const team = async () =>
    [
      await openStaff(testApp, 'manager', 'mia@duet.example'),
      await openStaff(testApp, 'owner', 'otto@duet.example'),
    ] as const
  const ask = (staff: TestUser) =>
    staff.post(`v2/manager/sealed/${id}/exports`, { reason: 'a report' })
  const allow = (staff: TestUser, export_id: unknown) =>
    staff.post(`v2/manager/approvals/${String(export_id)}/allow`)
  const [mia] = await team()
  const first = await ask(mia)
  await testApp.leap('25 h')
  const [asking, allowing] = await team()
  await allowing.isRefused('not_found', () => allow(allowing, first['export_id']))
  const { export_id } = await ask(asking)
  await allow(allowing, export_id)
  await testApp.leap('25 h')
  const [late] = await team()
  await late.isRefused('not_found', () =>
    late.get(`v2/manager/sealed/${id}/exports/${String(export_id)}/files`),
  )
})

const DOWN = 'http://127.0.0.1:9'
const servicesDown = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'Duet <no-reply@duet.example>',
  ALARM_WEBHOOK_URL: DOWN,
  TRANSLATE_URL: DOWN,
}

story.with({ env: servicesDown })(
  'a complaint about a minor acts and is sealed and leaves by two people while mail, storage, webhook and translation are down',
  async ({ testApp, boris, carl, anna }) => {
    const isDown = () => Promise.reject(new Error('the storage is down'))
    Object.assign(testApp.app.storage, { put: isDown, get: isDown, delete: isDown })
    await carl.act('TO_COMPLAIN', { reason: 'spam', user_id: anna.id, comment: '' })
    const owner = await openStaff(testApp, 'owner')
    const manager = await openStaff(testApp, 'manager')
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const said = { reason: 'child', user_id: anna.id, comment: '', session_id } as const
    const { complaint_id } = await boris.act('TO_COMPLAIN', said)
    await anna.heard('close_session', { reason: 'complaint' })
    await anna.heard('banned')
    await anna.isRefused('banned', () => anna.act('MATCH_AWAIT', {}))
    const look = () =>
      testApp.duet<{ files: { kind: string; is_whole: boolean }[] }>(
        ...(['seal', 'show', complaint_id, '--as', 'olga'] as const),
      )
    deepEqual(
      (await look()).files.map(({ kind, is_whole }) => [kind, is_whole]),
      [['record', true]],
    )
    const at = `v2/manager/sealed/${complaint_id}/exports`
    const { export_id } = await owner.post(at, { reason: 'a report' })
    await manager.post(`v2/manager/approvals/${String(export_id)}/allow`)
    const zipped = await fetch(`${testApp.origin}/api/${at}/${String(export_id)}/files`, {
      headers: { 'client-version': '2.0.0', cookie: owner.cookie! },
    })
    const zip = unzipSync(new Uint8Array(await zipped.arrayBuffer()))
    deepEqual(Object.keys(zip).toSorted(), ['manifest.json', 'record.json'])
    const [first] = await testApp.duet<{ complaint_id: number }[]>('complaints', 'list')
    equal(first?.complaint_id, complaint_id)
    await testApp.leap('15 min')
    await testApp.app.jobs.run('complaints warn')
    const { values } = await testApp.app.metrics.alarms.get()
    equal(values[0]?.value, 1)
    const decided = ['--decision', 'ban', '--reason', 'other', '--comment', 'x'] as const
    await testApp.duet('complaints', 'decide', complaint_id, ...decided)
  },
)
