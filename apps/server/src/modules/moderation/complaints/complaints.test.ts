import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { sealBytes } from '../../../lib/cipher.ts'
import { readEvidence } from './evidence.ts'
import { evidenceFiles } from './evidence-store.ts'
import { enforceRetention, retentionRules } from '../../../platform/retention/retention.ts'

const picture = () =>
  sharp({ create: { width: 320, height: 240, channels: 3, background: '#a4c' } })
    .jpeg()
    .toBuffer()

/** Uploads a frame as a page does. */
async function sendFrame(
  user: TestUser,
  { session_id, nonce }: { session_id: number; nonce: string },
  {
    product = 'complaint',
    bytes,
    seen,
  }: { product?: string; bytes?: Buffer | null; seen?: Buffer } = {},
) {
  const form = new FormData()
  form.set('session_id', String(session_id))
  form.set('nonce', nonce)
  if (bytes !== null)
    form.set('image', new Blob([new Uint8Array(bytes ?? (await picture()))]), 'frame.jpg')
  if (seen) form.set('image_original', new Blob([new Uint8Array(seen)]), 'seen.jpg')
  return user.post(`/upload/image/${product}`, form, {
    'user-access-token': String(user.user['fs_token']),
  })
}

const waiting = (testApp: TestApp) =>
  testApp.duet<{ complaint_id: number; reason: string; accused_id: number }[]>('complaints', 'list')

async function shown(testApp: TestApp, complaint_id: number) {
  const folder = await mkdtemp(join(tmpdir(), 'duet-evidence-'))
  await rm(folder, { recursive: true })
  try {
    const line = ['complaints', 'show', complaint_id, '--out', folder, '--as', 'olga'] as const
    const { files } = await testApp.duet<{
      files: { kind: string; file: string | null; is_sealed: boolean }[]
    }>(...line)
    equal((await auditedActs(testApp))[0], 'complaint_view')
    // Sealed files leave the office only, where two people export them.
    const written = files.flatMap(({ file }) => file ?? [])
    deepEqual((await readdir(folder)).toSorted(), written.toSorted())
    ok(files.every(({ file, is_sealed }) => !(is_sealed && file)))
    const kinds = []
    let record: object | undefined
    for (const row of await evidenceFiles(testApp.app.db, complaint_id)) {
      const plain = await readEvidence(testApp.app, row)
      kinds.push([row.kind, plain !== undefined, row.is_sealed])
      if (row.kind === 'record' && plain) record = JSON.parse(plain.toString()) as object
    }
    return { kinds: kinds.toSorted(), record }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

story(
  'a complaint in a call asks both pages for frames, and the call goes on',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const complaint = { reason: 'spam', user_id: anna.id, comment: ' ads ', session_id } as const
    const { complaint_id } = await boris.act('TO_COMPLAIN', complaint)
    const his = await boris.heard('frame_request', {
      session_id,
      reason: 'complaint',
      side: 'both',
    })
    // The page of the accused does not learn of the complaint.
    const hers = await anna.heard('frame_request', { session_id, reason: 'sample', side: 'own' })
    await sendFrame(boris, his, { seen: await picture() })
    await sendFrame(anna, hers, { product: 'frame' })
    deepEqual((await shown(testApp, complaint_id)).kinds, [
      ['accused', true, false],
      ['complainer', true, false],
      ['seen', true, false],
    ])
    for (const user of [boris, anna]) await user.notHeard('close_session')
    await anna.notHeard('notice')
    const [notice] = (await boris.get('notices')).items
    deepEqual(notice?.facts, { what: 'received', complaint_id })
    // An answer that was lost is repeated, and a second complaint about the same call is refused.
    deepEqual(await boris.act('TO_COMPLAIN', complaint), { complaint_id })
    await boris.isRefused('key_reused', () =>
      boris.act('TO_COMPLAIN', { ...complaint, reason: 'fraud' }),
    )
    equal((await waiting(testApp)).length, 1)
  },
)

story(
  'the picture of the accused is never filed as that of a complainer whose camera is off',
  async ({ testApp, boris, anna }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    const { complaint_id } = await anna.act('PANIC', { session_id })
    const hers = await anna.heard('frame_request', { session_id })
    const his = await boris.heard('frame_request', { session_id })
    await anna.isRefused('invalid', () => sendFrame(anna, hers, { bytes: null }))
    // The accused has no word on what the complainer saw.
    const seen = await picture()
    await boris.isRefused('invalid', () => sendFrame(boris, his, { bytes: null, seen }))
    await sendFrame(anna, hers, { bytes: null, seen })
    await anna.isRefused('not_found', () => sendFrame(anna, hers, { bytes: null, seen }))
    await testApp.settle()
    deepEqual((await shown(testApp, complaint_id)).kinds, [
      ['record', true, true],
      ['seen', true, true],
    ])
  },
)

story(
  'a frame counts once, from the page and the call that were asked, and only as a picture',
  async ({ testApp, boris, anna, carl }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    await boris.act('TO_COMPLAIN', { reason: 'nudity', user_id: anna.id, comment: '', session_id })
    const { nonce } = await boris.heard('frame_request')
    const asked = { session_id, nonce }
    for (const [user, wrong] of [
      [carl, asked],
      [anna, asked],
      [boris, { session_id: session_id + 1, nonce }],
      [boris, { session_id, nonce: `${nonce}x` }],
      [boris, { session_id, nonce: 'x' }],
      [boris, { session_id, nonce: nonce.replace(/^\d+/, '99') }],
    ] as const)
      await user.isRefused('not_found', () => sendFrame(user, wrong))
    await boris.isRefused('wrong_type', () =>
      sendFrame(boris, asked, { bytes: Buffer.from('no picture') }),
    )
    await sendFrame(boris, asked)
    await boris.isRefused('not_found', () => sendFrame(boris, asked))
    const { nonce: late } = await anna.heard('frame_request')
    await testApp.advance('31 s')
    await anna.isRefused('not_found', () => sendFrame(anna, { session_id, nonce: late }))
  },
)

story(
  'a complaint about a minor ends the call, suspends the accused and seals the evidence',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    await anna.act('TEXT_CHAT_MESSAGE', { session_id, id: 'a', text: 'call +49 170 1234567' })
    const complaint = { reason: 'child', user_id: anna.id, comment: 'look', session_id } as const
    const { complaint_id } = await boris.act('TO_COMPLAIN', complaint)
    for (const user of [boris, anna])
      await user.heard('close_session', { session_id, reason: 'complaint' })
    const { moderation_info } = await anna.heard('banned')
    deepEqual(
      [moderation_info.kind, moderation_info.reason, moderation_info.unban_time],
      ['suspension', 'under_review', null],
    )
    await anna.isRefused('banned', () => anna.act('MATCH_AWAIT', {}))
    await sendFrame(boris, await boris.heard('frame_request'))
    await sendFrame(anna, await anna.heard('frame_request'))
    await testApp.settle()
    const { kinds, record } = await shown(testApp, complaint_id)
    deepEqual(kinds, [
      ['accused', true, true],
      ['complainer', true, true],
      ['record', true, true],
    ])
    ok(JSON.stringify(record).includes('+49 170 1234567'))
    await testApp.duet(
      ...['complaints', 'decide', complaint_id, '--decision', 'no_violation', '--comment', 'adult'],
    )
    await anna.heard('unbanned')
    equal((await anna.auth()).moderation_info, undefined)
    equal((await boris.get('notices')).items[0]?.facts['what'], 'no_violation')
    deepEqual(await waiting(testApp), [])
  },
)

story(
  'doctor says whether the newest evidence can be read with the present key',
  async ({ testApp, boris, anna }) => {
    const { app, running } = testApp
    const newest = async () => {
      const { moderation } = await app.hooks.diagnosis()
      return (moderation as { newest_evidence: string }).newest_evidence
    }
    equal(await newest(), 'none')
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    await boris.act('TO_COMPLAIN', {
      reason: 'child',
      user_id: anna.id,
      comment: '',
      session_id,
    })
    await running.outbox.settled()
    equal(await newest(), 'readable')
    const { file_id, complaint_id } = await app.db
      .selectFrom('evidence_files')
      .select(['file_id', 'complaint_id'])
      .executeTakeFirstOrThrow()
    const place = `evidence ${file_id} of complaint ${complaint_id}`
    const otherKey = sealBytes(randomBytes(32), Buffer.from('{}'), place)
    await app.storage.put(`evidence/${file_id}.bin`, otherKey)
    equal(await newest(), 'unreadable')
  },
)

story(
  'the evidence of a ban stays while the user may appeal and the appeal waits',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const said = { reason: 'spam', user_id: anna.id, comment: '', session_id } as const
    const { complaint_id } = await boris.act('TO_COMPLAIN', said)
    await sendFrame(boris, await boris.heard('frame_request', { session_id }))
    const now = testApp.clock.now()
    const frame = { frame_id: crypto.randomUUID(), session_id, girl_id: anna.id, at: now }
    await testApp.app.db
      .insertInto('call_frames')
      .values({ ...frame, asked_at: now, sha256: 'a', bytes: 1 })
      .execute()
    const ban = ['--decision', 'ban', '--reason', 'nudity', '--comment', 'seen', '--as', 'olga']
    const { statement_id } = await testApp.duet<{ statement_id: number }>(
      'complaints',
      'decide',
      complaint_id,
      ...ban,
    )
    const kept = async (hours: number) => {
      await testApp.leap(`${hours} h`)
      await enforceRetention(testApp.app, retentionRules(testApp.running.modules))
      await testApp.settle()
      const frames = await testApp.app.db.selectFrom('call_frames').select('frame_id').execute()
      return [(await shown(testApp, complaint_id)).kinds.length, frames.length]
    }
    deepEqual(await kept(24 * 182), [1, 1])
    const { id } = await anna.post('appeals', { statement_id, text: 'no' })
    const manager = await openStaff(testApp, 'manager')
    const { items } = await manager.get('v2/manager/appeals')
    equal(items[0]!.complaint_id, complaint_id)
    deepEqual(await kept(24 * 30), [1, 1])
    // The manager's session has ended by now.
    const owner = await openStaff(testApp, 'owner')
    await owner.post(`v2/manager/appeals/${id}/decide`, { upheld: false, answer: 'it was so' })
    deepEqual(await kept(1), [0, 0])
  },
)

story(
  'sealed evidence outlives retention and deletion, and other evidence ends with its case',
  async ({ testApp, boris, carl, anna }) => {
    const complaints: number[] = []
    for (const [guy, reason] of [
      [boris, 'spam'],
      [carl, 'child'],
    ] as const) {
      const { session_id, connect } = await inCall(testApp, { guy, girl: anna })
      await connect()
      const said = { reason, user_id: anna.id, comment: '', session_id }
      const { complaint_id } = await guy.act('TO_COMPLAIN', said)
      complaints.push(complaint_id)
      await sendFrame(guy, await guy.heard('frame_request', { session_id }))
      if (reason === 'spam') await guy.act('BREAK_SESSION', { session_id })
      const line = ['--decision', 'no_violation', '--comment', 'nothing']
      await testApp.duet('complaints', 'decide', complaint_id, ...line)
      guy.forget()
      anna.forget()
    }
    await anna.post('delete_account', { password: 'anna-secret-1', confirm: true })
    await testApp.leap('9600 h')
    await enforceRetention(testApp.app, retentionRules(testApp.running.modules))
    await testApp.settle()
    deepEqual((await shown(testApp, complaints[0]!)).kinds, [])
    deepEqual((await shown(testApp, complaints[1]!)).kinds, [
      ['complainer', true, true],
      ['record', true, true],
    ])
  },
)

story(
  'sealed evidence is kept while the storage is down, and moves there later',
  async ({ testApp, boris, anna }) => {
    const { app } = testApp
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const { put } = app.storage
    app.storage.put = async () => Promise.reject(new Error('the storage is down'))
    const said = { reason: 'child', user_id: anna.id, comment: '', session_id } as const
    const { complaint_id } = await boris.act('TO_COMPLAIN', said)
    await sendFrame(boris, await boris.heard('frame_request'), { seen: await picture() })
    await testApp.running.outbox.settled()
    const whole = [
      ['complainer', true, true],
      ['record', true, true],
      ['seen', true, true],
    ]
    deepEqual((await shown(testApp, complaint_id)).kinds, whole)
    const unmoved = () =>
      app.db.selectFrom('evidence_files').select('file_id').where('content', 'is not', null)
    equal((await unmoved().execute()).length, 3)
    app.storage.put = put
    await testApp.leap('61 min')
    await app.jobs.run('evidence move')
    deepEqual(await unmoved().execute(), [])
    deepEqual((await shown(testApp, complaint_id)).kinds, whole)
  },
)

story(
  'the panic key ends the call, blocks the partner, and seals the evidence',
  async ({ testApp, boris, anna, carl }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    for (const session of [session_id, session_id + 1])
      await carl.isRefused('not_found', () => carl.act('PANIC', { session_id: session }))
    const { complaint_id } = await anna.act('PANIC', { session_id })
    for (const user of [boris, anna])
      await user.heard('close_session', { session_id, reason: 'complaint' }, { times: 1 })
    await sendFrame(anna, await anna.heard('frame_request', { reason: 'panic', side: 'both' }))
    await boris.isRefused('blocked', () => boris.act('ADD_FAVOURITE', { user_id: anna.id }))
    await testApp.settle()
    deepEqual((await shown(testApp, complaint_id)).kinds, [
      ['complainer', true, true],
      ['record', true, true],
    ])
    // The partner is not suspended, and a repetition changes nothing.
    await boris.notHeard('banned')
    deepEqual(await anna.act('PANIC', { session_id }), { complaint_id })
    equal((await waiting(testApp)).length, 1)
  },
)

story(
  'a panic that arrives after the end of the call still blocks the partner and seals the evidence',
  async ({ testApp, boris, anna }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    await anna.act('BREAK_SESSION', { session_id, break: true })
    const { complaint_id } = await anna.act('PANIC', { session_id })
    await boris.isRefused('blocked', () => boris.act('ADD_FAVOURITE', { user_id: anna.id }))
    await testApp.settle()
    deepEqual((await shown(testApp, complaint_id)).kinds, [['record', true, true]])
  },
)

story(
  'a complaint works after blocking, about messages and pages, and once a day without a call',
  async ({ testApp, boris, anna, gina }) => {
    const dialogId = await dialogBetween(anna, boris)
    const { message_id } = await writeMessage(anna, dialogId, 'send me money')
    await boris.act('BLOCK_USER', { user_id: anna.id })
    const said = { reason: 'fraud', user_id: anna.id, comment: 'money', message_id } as const
    await boris.act('TO_COMPLAIN', said)
    const again = { ...said, comment: 'again' }
    await boris.isRefused('key_reused', () => boris.act('TO_COMPLAIN', again))
    await testApp.leap('24 h')
    await boris.act('TO_COMPLAIN', again)
    // A visitor may complain of a page, but closes no account.
    await gina.act('TO_COMPLAIN', { reason: 'child', user_id: anna.id, comment: '' })
    await anna.notHeard('banned')
    deepEqual(
      (await waiting(testApp)).map(({ reason }) => reason),
      ['child', 'fraud', 'fraud'],
    )
  },
)

story(
  'a decision bans or warns the accused with a statement, once',
  async ({ testApp, boris, anna }) => {
    const { session_id, connect } = await inCall(testApp, { guy: boris, girl: anna })
    await connect()
    const { complaint_id } = await boris.act('TO_COMPLAIN', {
      reason: 'child',
      user_id: anna.id,
      comment: '',
      session_id,
    })
    const decide = (...more: string[]) =>
      testApp.duet('complaints', 'decide', complaint_id, '--comment', 'We looked.', ...more)
    await decide('--decision', 'ban', '--reason', 'other')
    await anna.heard('banned', {}, { times: 2 })
    await anna.notHeard('unbanned')
    const items = (await anna.get('statements')).items
    deepEqual(
      items.map(({ kind, comment, automatic }) => [kind, comment, automatic]),
      [
        ['ban', 'We looked.', false],
        ['suspension', '', true],
      ],
    )
    await boris.heard('notice', {}, { times: 2 })
    equal(await decide('--decision', 'no_violation').catch(() => 'refused'), 'refused')
    await testApp.duet('unban', anna.id, '--comment', 'test')
    const { complaint_id: other } = await boris.act('TO_COMPLAIN', {
      reason: 'dislike',
      user_id: anna.id,
      comment: '',
    })
    await testApp.duet(
      ...['complaints', 'decide', other, '--decision', 'warning', '--reason', 'harassment'],
      ...['--comment', 'Be kind.'],
    )
    const [warning] = (await anna.get('statements')).items
    equal((await auditedActs(testApp))[0], 'complaint_decide')
    deepEqual(
      [warning?.kind, warning?.reason, warning?.comment],
      ['warning', 'harassment', 'Be kind.'],
    )
  },
)

story(
  'rejects a complaint about oneself, a guest, a foreign call, message or picture',
  async ({ testApp, boris, anna, carl, gina }) => {
    const { session_id } = await inCall(testApp, { guy: boris, girl: anna })
    const dialogId = await dialogBetween(anna, boris)
    const { message_id } = await writeMessage(anna, dialogId, 'hello')
    const form = new FormData()
    form.set('image', new Blob([new Uint8Array(await picture())]), 'photo.jpg')
    const uploaded = await boris.post('/upload/image/gallery', form, {
      'user-access-token': String(boris.user['fs_token']),
    })
    const media_id = String(uploaded.id)
    const said = { reason: 'spam', comment: '' } as const
    for (const wrong of [
      { ...said, user_id: carl.id },
      { ...said, user_id: gina.id },
      { ...said, user_id: 2_000_000_000 },
      { ...said, user_id: anna.id, session_id },
      { ...said, user_id: anna.id, session_id: 999_999 },
      { ...said, user_id: anna.id, message_id },
      { ...said, user_id: anna.id, media_id },
    ])
      await carl.isRefused('not_found', () => carl.act('TO_COMPLAIN', wrong))
    for (const wrong of [
      { ...said, reason: 'because', user_id: anna.id },
      { ...said, comment: 'x'.repeat(2001), user_id: anna.id },
    ])
      await boris.isRefused('invalid', () => boris.act('TO_COMPLAIN', wrong as never))
    deepEqual(await waiting(testApp), [])
    for (const user of [boris, anna]) await user.notHeard('frame_request')
  },
)

story('each reported message is a complaint of its own', async ({ testApp, boris, anna }) => {
  const dialogId = await dialogBetween(anna, boris)
  const report = async (message_id: number) => {
    const said = { reason: 'spam', user_id: anna.id, comment: '', message_id } as const
    return (await boris.act('TO_COMPLAIN', said)).complaint_id
  }
  const [first, second] = [
    (await writeMessage(anna, dialogId, 'buy this')).message_id,
    (await writeMessage(anna, dialogId, 'and this')).message_id,
  ]
  const ids = [await report(first), await report(second), await report(first)]
  equal(ids[0], ids[2])
  const rows = await testApp.app.db
    .selectFrom('complaints')
    .select(['complaint_id', 'message_id'])
    .orderBy('complaint_id')
    .execute()
  deepEqual(
    rows.map((row) => [row.complaint_id, row.message_id]),
    [
      [ids[0], first],
      [ids[1], second],
    ],
  )
})
