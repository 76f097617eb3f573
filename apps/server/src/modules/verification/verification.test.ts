import { auditedActs } from '@duet/testkit/test-staff.ts'
import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import sharp from 'sharp'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { collectCommands, runCommand } from '../../platform/operator/commands.ts'
import { enforceRetention } from '../../platform/retention/retention.ts'
import { verification } from './index.ts'

/** Bytes that would be found again in a copy of anything that kept a part of the upload. */
const CANARY = 'canary-of-a-passport-4711'

/** A photograph with metadata that names its owner, and bytes after its end. */
async function picture(colour = '#884422'): Promise<Blob> {
  const bytes = await sharp({
    create: { width: 900, height: 640, channels: 3, background: colour },
  })
    .withExif({ IFD0: { ImageDescription: CANARY, Copyright: CANARY } })
    .jpeg()
    .toBuffer()
  return new Blob([bytes, CANARY], { type: 'image/jpeg' })
}

interface Sent {
  readonly challenge_id?: string | undefined
  readonly front?: Blob | null
  readonly back?: Blob
  readonly selfie?: Blob | null
  readonly fields?: Record<string, string>
}

async function upload(user: TestUser, sent: Sent = {}) {
  const challenge_id = sent.challenge_id ?? (await user.get('kyc')).challenge?.id ?? 'none'
  const form = new FormData()
  const fields = { type: 'passport', country: 'DE', consent: 'true', challenge_id, ...sent.fields }
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const front = sent.front === undefined ? await picture() : sent.front
  const selfie = sent.selfie === undefined ? await picture('#224488') : sent.selfie
  if (front) form.set('front', front, `${CANARY}.jpg`)
  if (sent.back) form.set('back', sent.back, 'back.jpg')
  if (selfie) form.set('selfie', selfie, 'selfie.jpg')
  return user.post('upload_passport', form)
}

async function waiting(testApp: TestApp): Promise<{ check_id: number; user_id: number }[]> {
  return testApp.duet('verification', 'list')
}

async function approve(testApp: TestApp, user: TestUser, expires = '2035-05-31'): Promise<number> {
  const found = (await waiting(testApp)).find(({ user_id }) => user_id === user.id)!
  await testApp.duet(
    'verification',
    'approve',
    found.check_id,
    '--expires',
    expires,
    '--as',
    'olga',
  )
  equal((await auditedActs(testApp))[0], 'identity_approve')
  return found.check_id
}

async function refusedCommand(testApp: TestApp, ...line: (string | number)[]) {
  const commands = collectCommands(testApp.running.modules, {})
  const { exit_code, answer } = await runCommand(testApp.app, commands, line.map(String))
  equal(exit_code, 1, line.join(' '))
  return (answer as { refusal?: string }).refusal
}

/** Every stored file of documents, by its key. */
async function storedFiles({ config }: TestApp): Promise<string[]> {
  const found: string[] = []
  for (const product of ['passport', 'selfie'])
    found.push(
      ...(await readdir(join(config.data_dir, 'files', product)).catch(() => [])).map(
        (name) => `${product}/${name}`,
      ),
    )
  return found
}

story(
  'a girl sends documents, the operator approves, and she is verified on every page',
  async ({ testApp, nina }) => {
    const before = await nina.get('kyc')
    deepEqual([before.state, before.provider], ['none', 'staff'])
    match(before.challenge!.says, /^(left|right) [1-5] (chin|cheek|forehead|shoulder)$/)
    await nina.isRefused('verification_required', () => nina.act('MATCH_AWAIT', {}))
    deepEqual(await upload(nina), { state: 'checking' })
    const checking = await nina.get('kyc')
    deepEqual([checking.state, checking.challenge], ['checking', undefined])
    equal((await nina.heard('user_info')).user.info.verify_state, 'checking')
    const [check] = await testApp.duet<Record<string, unknown>[]>('verification', 'list')
    deepEqual(
      [check!.user_id, check!.document_type, check!.country, check!.state],
      [nina.id, 'passport', 'DE', 'checking'],
    )
    equal((check!.consent as { version: string }).version, '2026-11')
    await nina.isRefused('birthday_fixed', () => nina.post('profile', { birthday: '1990-01-01' }))
    nina.forget()
    await approve(testApp, nina)
    const { user } = await nina.heard('user_info')
    deepEqual(user.info, { is_verify: true, usdt_wallet: null, verify_state: 'verified' })
    const after = await nina.get('kyc')
    deepEqual(
      [after.state, after.expires_at, after.challenge],
      ['verified', '2035-05-31T21:00:00.000Z', undefined],
    )
    await nina.isRefused('avatar_required', () => nina.act('MATCH_AWAIT', {}))
  },
)

story('a declined girl reads the reason and may send again', async ({ testApp, nina }) => {
  await upload(nina)
  const [{ check_id } = { check_id: 0 }] = await waiting(testApp)
  equal(
    await refusedCommand(testApp, 'verification', 'decline', check_id, '--reason', 'ugly'),
    'invalid',
  )
  await testApp.duet('verification', 'decline', check_id, '--reason', 'gesture_missing')
  equal((await auditedActs(testApp))[0], 'identity_decline')
  const declined = await nina.get('kyc')
  deepEqual([declined.state, declined.reason], ['declined', 'gesture_missing'])
  equal((await nina.heard('user_info', {}, { times: 2 })).user.info.is_verify, false)
  equal(
    await refusedCommand(testApp, 'verification', 'approve', check_id, '--expires', '2035-01-01'),
    'decided',
  )
  deepEqual(await upload(nina), { state: 'checking' })
  await approve(testApp, nina)
  equal((await nina.get('kyc')).state, 'verified')
})

story(
  'one request of a user is open, however often and fast it is sent',
  async ({ testApp, nina }) => {
    const { challenge } = await nina.get('kyc')
    // Two are decoded, two wait, and further uploads would be refused for now.
    const answers = await together(4, () => upload(nina, { challenge_id: challenge!.id }))
    deepEqual(
      answers.map(({ state }) => state),
      ['checking', 'checking', 'checking', 'checking'],
    )
    deepEqual(await upload(nina, { challenge_id: challenge!.id }), { state: 'checking' })
    equal((await waiting(testApp)).length, 1)
    await testApp.settle()
    equal((await storedFiles(testApp)).length, 2)
    const { length } = await testApp.app.db
      .selectFrom('identity_documents')
      .select('side')
      .execute()
    equal(length, 2)
  },
)

/** Sends one picture ahead, as the page does on a slow network. */
async function sendAhead(user: TestUser, side: string, colour?: string) {
  const form = new FormData()
  form.set('side', side)
  form.set('picture', await picture(colour), `${CANARY}.jpg`)
  return user.post('upload_passport/picture', form)
}

async function sendStored(user: TestUser, ids: Record<string, string | undefined>) {
  return upload(user, {
    challenge_id: ids.challenge_id,
    front: null,
    selfie: null,
    fields: ids as Record<string, string>,
  })
}

story(
  'pictures that were sent ahead make one request, and a repeat of one picture leaves no second one',
  async ({ testApp, nina, boris }) => {
    const first = await sendAhead(nina, 'front')
    await testApp.leap('11 min')
    const front = await sendAhead(nina, 'front', '#111111')
    const selfie = await sendAhead(nina, 'selfie')
    await testApp.settle()
    equal((await storedFiles(testApp)).length, 2)
    const wrong = [
      { front_id: first.document_id, selfie_id: selfie.document_id },
      { front_id: selfie.document_id, selfie_id: front.document_id },
      { front_id: front.document_id, selfie_id: (await sendAhead(boris, 'selfie')).document_id },
    ]
    for (const ids of wrong)
      equal((await nina.isRefused('not_found', () => sendStored(nina, ids))).what, 'picture')
    equal((await waiting(testApp)).length, 0)
    const challenge_id = (await nina.get('kyc')).challenge!.id
    const ids = { challenge_id, front_id: front.document_id, selfie_id: selfie.document_id }
    deepEqual(await sendStored(nina, ids), { state: 'checking' })
    deepEqual(await sendStored(nina, ids), { state: 'checking' })
    deepEqual(await sendAhead(nina, 'front'), { state: 'checking' })
    const check_id = await approve(testApp, nina)
    const attached = await testApp.app.db
      .selectFrom('identity_documents')
      .select(['document_id', 'side'])
      .where('check_id', '=', check_id)
      .orderBy('side')
      .execute()
    deepEqual(attached, [
      { document_id: front.document_id, side: 'front' },
      { document_id: selfie.document_id, side: 'selfie' },
    ])
  },
)

story('a picture that no request takes is gone after a day', async ({ testApp, nina }) => {
  await sendAhead(nina, 'front')
  await testApp.leap('49 h')
  await enforceRetention(testApp.app, verification.retention!)
  await testApp.settle()
  equal((await storedFiles(testApp)).length, 0)
  await testApp.setting('kyc_documents', 'off')
  await nina.isRefused('method_unavailable', () => sendAhead(nina, 'front'))
})

story(
  'a challenge is used once, by its user, and for a short time',
  async ({ testApp, nina, boris }) => {
    const { challenge } = await nina.get('kyc')
    deepEqual((await nina.get('kyc')).challenge, challenge)
    await nina.isRefused('not_found', async () =>
      upload(nina, { challenge_id: (await boris.get('kyc')).challenge!.id }),
    )
    await testApp.leap('21 min')
    await nina.isRefused('not_found', () => upload(nina, { challenge_id: challenge!.id }))
    notEqual((await nina.get('kyc')).challenge!.id, challenge!.id)
    const used = (await nina.get('kyc')).challenge!.id
    await upload(nina, { challenge_id: used })
    const [{ check_id } = { check_id: 0 }] = await waiting(testApp)
    await testApp.duet('verification', 'decline', check_id, '--reason', 'unreadable')
    await nina.isRefused('not_found', () => upload(nina, { challenge_id: used }))
  },
)

story(
  'what is no picture, no consent or too young is refused by name',
  async ({ testApp, nina, gina }) => {
    const refused = async (name: Parameters<TestUser['isRefused']>[0], sent: Sent) =>
      nina.isRefused(name, () => upload(nina, sent))
    await refused('invalid', { fields: { consent: 'false' } })
    await refused('invalid', { fields: { country: 'Germany' } })
    await refused('invalid', { fields: { type: 'library_card' } })
    deepEqual(
      ((await refused('invalid', { selfie: null })).fields as { path: string }[]).map(
        ({ path }) => path,
      ),
      ['selfie'],
    )
    for (const front of [
      new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/jpeg' }),
      new Blob(['GIF89a'], { type: 'image/png' }),
      new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])], { type: 'image/jpeg' }),
      new Blob(['%PDF-1.7'], { type: 'application/pdf' }),
    ])
      equal((await refused('wrong_type', { front })).field, 'front')
    await refused('too_large', { front: new Blob([new Uint8Array(10 * 1024 * 1024 + 1)]) })
    await gina.isRefused('registered_only', () => gina.post('upload_passport', new FormData()))
    await testApp.app.db
      .updateTable('users')
      .set({ birthday: Temporal.PlainDate.from('2020-01-01') })
      .where('id', '=', nina.id)
      .execute()
    await refused('birthday_invalid', {
      fields: {},
      challenge_id: '3f0c1a52-3b5e-4e0e-9a3c-0d6b6d3f1a11',
    })
    equal((await waiting(testApp)).length, 0)
    equal((await storedFiles(testApp)).length, 0)
  },
)

story(
  'a guy may verify too, and staff may switch the documents off',
  async ({ testApp, boris }) => {
    await testApp.setting('kyc_documents', 'off')
    equal((await boris.get('kyc')).challenge, undefined)
    await boris.isRefused('method_unavailable', () =>
      upload(boris, { challenge_id: '3f0c1a52-3b5e-4e0e-9a3c-0d6b6d3f1a11' }),
    )
    await testApp.setting('kyc_documents', 'on')
    await upload(boris)
    await approve(testApp, boris)
    equal((await boris.get('profile')).user.info.is_verify, true)
  },
)

story(
  'warnings precede the expiry; then she leaves the search and may not start it',
  async ({ testApp, anna }) => {
    await testApp.duet('verify', anna.id, '--decline', 'other')
    await upload(anna)
    const today = testApp.clock.now().toZonedDateTimeISO('+03:00').toPlainDate()
    await approve(testApp, anna, today.add({ days: 40 }).toString())
    await anna.act('MATCH_AWAIT', {})
    deepEqual(await upload(anna, { challenge_id: (await anna.get('kyc')).challenge!.id }), {
      state: 'checking',
    })
    const [renewal] = await waiting(testApp)
    const own = (await anna.get('profile')).user.info
    deepEqual([own.is_verify, own.verify_state], [true, 'checking'])
    await testApp.duet('verification', 'decline', renewal!.check_id, '--reason', 'unreadable')
    const { state, reason } = await anna.get('kyc')
    deepEqual([state, reason], ['verified', 'unreadable'])
    anna.forget()
    for (let day = 0; day < 41; day += 1) await testApp.leap('24 h')
    const { user } = await anna.heard('user_info', {}, { times: 1 })
    deepEqual([user.info.is_verify, user.info.verify_state], [false, 'declined'])
    equal((await anna.get('kyc')).reason, 'expired')
    await anna.isRefused('verification_required', () => anna.act('MATCH_AWAIT', {}))
    await anna.heard('search_state', { state: 'idle' })
    const bell = (await anna.get('notices')).items.map(({ kind, facts }) => [
      kind,
      facts.state,
      facts.days,
    ])
    deepEqual(bell.slice(0, 4), [
      ['verification', 'expired', undefined],
      ['verification', 'expiring', 1],
      ['verification', 'expiring', 7],
      ['verification', 'expiring', 30],
    ])
  },
)

story('a renewed document takes the place of the former one', async ({ testApp, nina }) => {
  await upload(nina)
  const today = testApp.clock.now().toZonedDateTimeISO('+03:00').toPlainDate()
  await approve(testApp, nina, today.add({ days: 30 }).toString())
  const since = async () =>
    (
      await testApp.app.db
        .selectFrom('users')
        .select('verified_at')
        .where('id', '=', nina.id)
        .executeTakeFirstOrThrow()
    ).verified_at!.toString()
  const first = await since()
  await testApp.leap('24 h')
  await upload(nina)
  await approve(testApp, nina, today.add({ days: 900 }).toString())
  equal(await since(), first, 'she is not new again')
  await testApp.leap('960 h')
  equal((await nina.get('kyc')).state, 'verified')
  deepEqual(
    await testApp.app.db
      .selectFrom('identity_checks')
      .select(['state', 'reason'])
      .orderBy('check_id')
      .execute(),
    [
      { state: 'ended', reason: 'replaced' },
      { state: 'verified', reason: null },
    ],
  )
})

story(
  'an expiry that passed while the server was down ends the verification at its start',
  async ({ testApp, nina }) => {
    await upload(nina)
    const today = testApp.clock.now().toZonedDateTimeISO('+03:00').toPlainDate()
    await approve(testApp, nina, today.add({ days: 2 }).toString())
    testApp.clock.forget()
    await testApp.running.kill()
    testApp.clock.sleep(testApp.clock.now().add({ hours: 24 * 5 }))
    await testApp.open()
    await testApp.settle()
    await nina.comeBack()
    equal((await nina.get('kyc')).reason, 'expired')
  },
)

story(
  'documents are unreadable in the database and in the file store, and served by no address',
  async ({ testApp, nina, boris }) => {
    await upload(nina, { back: await picture('#119911') })
    const files = await storedFiles(testApp)
    equal(files.length, 3)
    for (const file of files) {
      const bytes = await readFile(join(testApp.config.data_dir, 'files', file))
      for (const magic of ['\xff\xd8\xff', '\x89PNG', 'WEBP', 'JFIF', 'Exif', CANARY])
        equal(bytes.indexOf(Buffer.from(magic, 'latin1')), -1, `${magic} in ${file}`)
      // The rows have ids of the files; no form of an address opens them.
      const id = file.split('/')[1]!.replace('.bin', '')
      for (const path of [
        `/media/${id}/full`,
        `/media/${id}/small`,
        `/media/${id}/blur`,
        `/files/${file}`,
        `/${file}`,
      ])
        for (const user of [nina, boris])
          equal(
            (await fetch(`${testApp.origin}${path}`, { headers: { 'chat-token': user.token! } }))
              .status,
            404,
          )
    }
    const rows = await testApp.app.db.selectFrom('identity_documents').selectAll().execute()
    const key = Buffer.from('b25seS1mb3ItdGVzdHMtMDEyMzQ1Njc4OS1hYmNkZWY', 'base64')
    for (const { wrapped_key } of rows) {
      equal(wrapped_key.length, 60)
      equal(wrapped_key.indexOf(key), -1)
    }
    const { rows: tables } = await testApp.database.pool.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    for (const { name } of tables) {
      const { rows: found } = await testApp.database.pool.query(
        `select 1 from "${name}" as row where row::text like $1 limit 1`,
        [`%${CANARY}%`],
      )
      equal(found.length, 0, name)
    }
  },
)

story(
  'the operator sees marked pictures without metadata, and every look is recorded',
  async ({ testApp, nina }) => {
    await upload(nina)
    const [{ check_id } = { check_id: 0 }] = await waiting(testApp)
    const folder = await mkdtemp(join(tmpdir(), 'duet-documents-'))
    try {
      const out = join(folder, 'olga')
      const shown = await testApp.duet<{ files: string[]; gesture: string; birthday: string }>(
        'verification',
        'show',
        check_id,
        '--out',
        out,
        '--as',
        'olga',
      )
      deepEqual(
        shown.files.map((file) => file.split('/').at(-1)),
        [`check-${check_id}-front.jpg`, `check-${check_id}-selfie.jpg`],
      )
      equal(shown.birthday, '1996-01-01')
      const [front] = shown.files
      const bytes = await readFile(front!)
      equal(bytes.indexOf(CANARY), -1)
      equal((await stat(front!)).mode & 0o777, 0o600)
      equal((await stat(out)).mode & 0o777, 0o700)
      const { width, exif } = await sharp(bytes).metadata()
      deepEqual([width, exif], [900, undefined])
      // The upload has one colour: what differs is the watermark.
      const { channels } = await sharp(bytes).stats()
      ok(channels.some(({ stdev }) => stdev > 5))
      const again = join(folder, 'again')
      await testApp.duet('verification', 'show', check_id, '--out', again)
      equal((await auditedActs(testApp))[0], 'documents_view')
      // A file or link that is there already, and a folder that others may enter.
      await rejects(testApp.duet('verification', 'show', check_id, '--out', again))
      const open = join(folder, 'open')
      await mkdir(open)
      await chmod(open, 0o755)
      await rejects(testApp.duet('verification', 'show', check_id, '--out', open))
      deepEqual(await readdir(open), [])
      deepEqual(
        await testApp.app.db
          .selectFrom('identity_document_views')
          .select(['check_id', 'user_id', 'viewer'])
          .orderBy('view_id')
          .execute(),
        [
          { check_id, user_id: nina.id, viewer: 'olga' },
          { check_id, user_id: nina.id, viewer: 'operator' },
          { check_id, user_id: nina.id, viewer: 'operator' },
        ],
      )
    } finally {
      await rm(folder, { recursive: true })
    }
  },
)

story(
  'documents are deleted days after the decision, with their keys and files',
  async ({ testApp, nina, boris }) => {
    await upload(nina)
    await upload(boris)
    await approve(testApp, nina)
    const purge = async () => {
      await enforceRetention(testApp.app, verification.retention!)
      await testApp.settle()
      return [
        (await testApp.app.db.selectFrom('identity_documents').select('side').execute()).length,
        (await storedFiles(testApp)).length,
      ]
    }
    await testApp.leap('2136 h')
    deepEqual(await purge(), [4, 4])
    await testApp.leap('48 h')
    deepEqual(await purge(), [2, 2], 'a request that waits keeps its documents')
    equal((await nina.get('kyc')).state, 'verified')
  },
)

story(
  'a closed check goes with its documents, also without a decision',
  async ({ testApp, nina }) => {
    await upload(nina)
    const { db } = testApp.app
    const now = testApp.clock.now()
    const closed = { state: 'ended', decided_at: now, closed_at: now }
    await db.updateTable('identity_checks').set(closed).execute()
    await testApp.leap('87600 h')
    for (let times = 0; times < 2; times += 1)
      await enforceRetention(testApp.app, verification.retention!)
    await testApp.settle()
    deepEqual(await db.selectFrom('identity_documents').selectAll().execute(), [])
    deepEqual(await db.selectFrom('identity_checks').selectAll().execute(), [])
    deepEqual(await storedFiles(testApp), [])
  },
)

story('files of an upload that did not end are deleted', async ({ testApp, nina }) => {
  const { challenge } = await nina.get('kyc')
  // A crash between the files and the request.
  await upload(nina, { challenge_id: challenge!.id })
  await testApp.app.db.updateTable('identity_documents').set({ check_id: null }).execute()
  await testApp.leap('25 h')
  await enforceRetention(testApp.app, verification.retention!)
  await testApp.settle()
  equal((await storedFiles(testApp)).length, 0)
})

story('a changed file or one of another document cannot be opened', async ({ testApp, nina }) => {
  await upload(nina)
  const [{ check_id } = { check_id: 0 }] = await waiting(testApp)
  const [first, second] = await storedFiles(testApp)
  const swapped = await testApp.app.storage.get(second!)
  await testApp.app.storage.put(first!, swapped!)
  const { exit_code } = await runCommand(
    testApp.app,
    collectCommands(testApp.running.modules, {}),
    ['verification', 'show', String(check_id), '--out', join(testApp.config.data_dir, 'shown')],
  )
  equal(exit_code, 1)
})

story(
  'checks of another server process are decided, replaced and taken back',
  async ({ testApp, nina }) => {
    const { db, clock } = testApp.app
    const lease_until = clock.now().add({ hours: 99 })
    const owner = { owner_id: 99, started_at: clock.now(), lease_until }
    await db.insertInto('process_owners').values(owner).execute()
    const goAway = () =>
      db
        .updateTable('identity_checks')
        .set(({ eb }) => ({ owner_id: 99, fence: eb('fence', '+', 1) }))
        .execute()
    const today = clock.now().toZonedDateTimeISO('+03:00').toPlainDate()
    for (const days of [30, 900]) {
      await upload(nina)
      await goAway()
      await approve(testApp, nina, today.add({ days }).toString())
      await goAway()
    }
    const { rows } = await sql<{ state: string }>`
      select state from identity_checks order by check_id`.execute(db)
    deepEqual(
      rows.map(({ state }) => state),
      ['ended', 'verified'],
    )
    await testApp.duet('verify', nina.id, '--decline', 'other')
    equal((await nina.get('kyc')).state, 'declined')
  },
)

story('the operator verifies without documents, and takes it back', async ({ testApp, nina }) => {
  for (let twice = 0; twice < 2; twice += 1) await testApp.duet('verify', nina.id)
  equal((await nina.heard('user_info', {}, { times: 1 })).user.info.verify_state, 'verified')
  equal((await nina.get('kyc')).expires_at, undefined)
  await testApp.duet('verify', 'nina@duet.example', '--decline', 'underage')
  const { state, reason } = await nina.get('kyc')
  deepEqual([state, reason], ['declined', 'underage'])
  await testApp.duet('verify', nina.id)
  equal((await nina.get('kyc')).state, 'verified')
})

story(
  'the checks of an erased user end, and the documents are deleted',
  async ({ testApp, nina }) => {
    await upload(nina)
    await testApp.app.transact((tx) => tx.publish('account_deleted', { user_id: nina.id }))
    equal((await waiting(testApp)).length, 0)
    await testApp.app.transact(async (tx) => {
      for (const { personalData } of testApp.running.modules.filter(
        ({ name }) => name === 'verification',
      ))
        await personalData!.erase!(tx, nina.id)
    })
    await testApp.settle()
    deepEqual(await storedFiles(testApp), [])
  },
)
