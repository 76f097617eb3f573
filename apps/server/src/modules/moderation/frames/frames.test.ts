import type { AppealCase, ComplaintCase, FindingsCase } from '@duet/protocol'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { deepEqual, equal, ok } from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { matching } from '@duet/testkit/received-events.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, pictureBytes } from '@duet/testkit/uploads.ts'
import { enforceRetention, retentionRules } from '../../../platform/retention/retention.ts'
import { purgeFrames } from './kept-frames.ts'

interface Asked {
  readonly session_id: number
  readonly nonce: string
}

let shown = 0
/** A picture that differs from the last ones, as those of a camera do. */
function cameraPicture(): Promise<Buffer> {
  shown += 1
  const colour = `#${((shown * 0x28_1c_34) % 0x100_00_00).toString(16).padStart(6, '0')}`
  return pictureBytes(320, 240, { colour })
}

/** Uploads a frame as a page does. */
async function sendFrame(user: TestUser, { session_id, nonce }: Asked, bytes?: Uint8Array) {
  const fields = { session_id: String(session_id), nonce }
  const form = fileForm('image', bytes ?? (await cameraPicture()), fields)
  const token = { 'user-access-token': String(user.user['fs_token']) }
  return user.post('/upload/image/frame', form, token)
}

/** The requests of frames of a call that her page received. */
function requests({ wire }: TestUser, session_id: number): Asked[] {
  return matching(wire, 'frame_request', { session_id }) as unknown as Asked[]
}

/** A connected public call. `next` lets its interval pass and returns what her page is asked for. */
async function sampled(testApp: TestApp, guy: TestUser, girl: TestUser) {
  const call = await inCall(testApp, { guy, girl })
  await call.connect()
  let times = 0
  const next = async (): Promise<Asked> => {
    await call.talk(times === 0 ? 4 : 10)
    times += 1
    const asked = requests(girl, call.session_id)
    equal(asked.length, times)
    return asked.at(-1)!
  }
  return { ...call, next }
}

const stored = (testApp: TestApp) =>
  testApp.app.db.selectFrom('call_frames').selectAll().orderBy('asked_at').execute()
const findings = async (testApp: TestApp) =>
  (await testApp.duet<{ findings: { kind: string; statement_id: number }[] }>('frames', 'list'))
    .findings

/** The names of the files of frames in the storage. */
async function files({ app, config }: TestApp): Promise<string[]> {
  ok(await app.storage.check().then(() => true))
  const names = await readdir(config.data_dir, { recursive: true })
  return names.filter((name) => /frames\/.*\.bin$/.test(name))
}

story(
  'her page is asked for one frame an interval, his page is not, and each frame is stored encrypted with its score',
  async ({ testApp, boris, anna }) => {
    const { session_id, next } = await sampled(testApp, boris, anna)
    testApp.vision.nudity = 0.25
    for (let frames = 1; frames <= 3; frames += 1) await sendFrame(anna, await next())
    await boris.notHeard('frame_request')
    const rows = await stored(testApp)
    deepEqual(
      rows.map((row) => [row.session_id, row.girl_id, row.nudity]),
      Array.from({ length: 3 }, () => [session_id, anna.id, 0.25]),
    )
    const [first, second] = rows
    const gap = first!.asked_at.until(second!.asked_at, { largestUnit: 'second' })
    equal(gap.seconds, 10)
    equal((await files(testApp)).length, 3)
    const sealed = await testApp.app.storage.get(`frames/${first!.frame_id}.bin`)
    ok(sealed && !sealed.includes('WEBP'))
    // Nothing of it is a medium: no viewer has an address.
    await boris.isRefused('not_found', () => boris.get(`/media/${first!.frame_id}/full` as string))
  },
)

story(
  'the copy of her own data has the pictures of her calls, and his has none',
  async ({ testApp, boris, anna }) => {
    const { next } = await sampled(testApp, boris, anna)
    for (let frames = 0; frames < 2; frames += 1) await sendFrame(anna, await next())
    const copied = async ({ id }: TestUser) => {
      const names: string[] = []
      for await (const part of testApp.app.exportUser(id)) {
        if (!('path' in part) || !part.path.startsWith('frames/')) continue
        const sealed = (await testApp.app.storage.get(part.storage_key))!
        const picture = Buffer.from(part.decrypt!(sealed)!)
        ok(picture.includes('WEBP'))
        equal(part.decrypt!(sealed.subarray(1)), undefined)
        names.push(part.path)
      }
      return names
    }
    const rows = await stored(testApp)
    deepEqual(
      await copied(anna),
      rows.map((row) => `frames/${row.session_id}-${row.frame_id}.webp`).toSorted(),
    )
    deepEqual(await copied(boris), [])
  },
)

story(
  'staff see the frames of a call with their name on them, and each look is recorded',
  async ({ testApp, boris, anna }) => {
    const { session_id, next } = await sampled(testApp, boris, anna)
    await sendFrame(anna, await next())
    const folder = await mkdtemp(join(tmpdir(), 'duet-frames-'))
    await rm(folder, { recursive: true })
    try {
      const line = ['frames', 'show', session_id, '--out', folder, '--as', 'olga'] as const
      const [frame] = await testApp.duet<{ file: string }[]>(...line)
      deepEqual(await readdir(folder), [frame!.file])
      equal((await auditedActs(testApp))[0], 'frames_view')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
    const views = await testApp.app.db.selectFrom('frame_views').selectAll().execute()
    deepEqual(
      views.map(({ session_id: seen, viewer }) => [seen, viewer]),
      [[session_id, 'olga']],
    )
  },
)

story(
  'the case of a complaint shows the sampled frames of its call, and no others',
  async ({ testApp, boris, anna, clara }) => {
    const { session_id, next } = await sampled(testApp, boris, anna)
    await sendFrame(anna, await next())
    const { complaint_id } = await boris.act('TO_COMPLAIN', {
      reason: 'spam',
      user_id: anna.id,
      comment: 'look',
      session_id,
    })
    const { complaint_id: otherId } = await boris.act('TO_COMPLAIN', {
      reason: 'spam',
      user_id: clara.id,
      comment: 'another',
    })
    const dana = await openStaff(testApp, 'moderator')
    const shown = (await dana.get(`v2/manager/complaints/${complaint_id}`)) as ComplaintCase
    deepEqual(
      shown.frames.map(({ is_flagged }) => is_flagged),
      [false],
    )
    deepEqual([shown.call?.gifts, shown.call?.is_private], [0, false])
    deepEqual(
      [shown.accused_card.sessions, shown.accused_card.complaints, shown.accused_card.penalties],
      [1, 1, 0],
    )
    const [frame] = shown.frames
    const path = (id: number) => `v2/manager/complaints/${id}/frames/${frame!.id}`
    const picture = await fetch(`${testApp.origin}/api/${path(complaint_id)}`, {
      headers: { cookie: dana.cookie! },
    })
    equal(picture.headers.get('content-type'), 'image/jpeg')
    deepEqual((await auditedActs(testApp)).slice(0, 2), ['frames_view', 'complaint_view'])
    const views = await testApp.app.db.selectFrom('frame_views').selectAll().execute()
    deepEqual(
      views.map((view) => view.session_id),
      [session_id],
    )
    await dana.isRefused('not_found', () => dana.get(path(otherId)))
  },
)

story(
  'a frame counts once, from the girl of the open public call, and only as a small picture',
  async ({ testApp, boris, anna, vera, carl }) => {
    const { session_id, next } = await sampled(testApp, boris, anna)
    const asked = await next()
    for (const [user, wrong] of [
      [boris, asked],
      [vera, asked],
      [carl, asked],
      [anna, { ...asked, session_id: session_id + 1 }],
      [anna, { ...asked, nonce: `${asked.nonce}x` }],
      [anna, { ...asked, nonce: asked.nonce.replace('sample', 'complaint') }],
      [anna, { ...asked, nonce: '1.sample.99999999999.x' }],
    ] as const)
      await user.isRefused('not_found', () => sendFrame(user, wrong))
    await anna.isRefused('wrong_type', () => sendFrame(anna, asked, Buffer.from('no picture')))
    const other = await pictureBytes(320, 240, { format: 'png' })
    await anna.isRefused('wrong_type', () => sendFrame(anna, asked, other))
    for (const size of [200_000, 10 * 1024 * 1024])
      await anna.isRefused('too_large', () => sendFrame(anna, asked, Buffer.alloc(size, 1)))
    for (const user of [boris, anna]) await user.notHeard('close_session')
    deepEqual(await stored(testApp), [])
    // All of this has disturbed no user, and the true frame still counts, once.
    await sendFrame(anna, asked)
    await anna.isRefused('not_found', () => sendFrame(anna, asked))
    const damaged = await next()
    const broken = (await pictureBytes(320, 240)).subarray(0, 200)
    await anna.isRefused('wrong_type', () => sendFrame(anna, damaged, broken))
    await anna.isRefused('not_found', () => sendFrame(anna, damaged))
    const late = await next()
    await testApp.advance('31 s')
    await anna.isRefused('not_found', () => sendFrame(anna, late))
    equal((await stored(testApp)).length, 1)
  },
)

/** Counts how often a picture is decoded, and keeps the decoding waiting until it is released. */
function watchDecoding({ app }: TestApp) {
  const { images } = app
  const decode = images.encode
  const waiting = Promise.withResolvers<void>()
  const watch = { times: 0, letGo: () => waiting.resolve() }
  const encode: typeof images.encode = async (...request) => {
    watch.times += 1
    await waiting.promise
    return decode(...request)
  }
  Object.assign(images, { encode })
  return watch
}

story('an oversized frame is refused without decoding', async ({ testApp, boris, anna }) => {
  const { next } = await sampled(testApp, boris, anna)
  const asked = await next()
  const decoding = watchDecoding(testApp)
  const large = await pictureBytes(3000, 2000)
  ok(large.length < 128 * 1024)
  await anna.isRefused('too_large', () => sendFrame(anna, asked, large))
  equal(decoding.times, 0)
  decoding.letGo()
  await sendFrame(anna, asked)
  equal(decoding.times, 1)
})

story('two uploads for one request are one check', async ({ testApp, boris, anna }) => {
  const { next } = await sampled(testApp, boris, anna)
  const asked = await next()
  const decoding = watchDecoding(testApp)
  const uploads = [sendFrame(anna, asked), sendFrame(anna, asked)].map((upload) =>
    upload.then(
      () => 'stored',
      (error: unknown) => (error as { refusal?: string }).refusal,
    ),
  )
  await Promise.race(uploads)
  decoding.letGo()
  deepEqual((await Promise.all(uploads)).toSorted(), ['not_found', 'stored'])
  equal(decoding.times, 1)
})

story(
  'frames that the server refuses for load are not missing, and doctor says how many they are',
  async ({ testApp, boris, anna }) => {
    const { session_id, next } = await sampled(testApp, boris, anna)
    Object.assign(testApp.app.images, { encode: async () => 'busy' })
    for (let frames = 1; frames <= 5; frames += 1) {
      const asked = await next()
      await anna.isRefused('too_many', () => sendFrame(anna, asked))
    }
    const { moderation } = await testApp.app.hooks.diagnosis()
    equal((moderation as Record<string, number>)['frames_refused'], 5)
    await anna.act('BREAK_SESSION', { session_id })
    await testApp.settle()
    deepEqual((await testApp.duet<{ missing: unknown[] }>('frames', 'list')).missing, [])
  },
)

story('a page that repeats one picture sends no frames', async ({ testApp, boris, anna }) => {
  const { session_id, next } = await sampled(testApp, boris, anna)
  const picture = await cameraPicture()
  for (let frames = 1; frames <= 5; frames += 1) await sendFrame(anna, await next(), picture)
  await anna.act('BREAK_SESSION', { session_id })
  await testApp.settle()
  const { missing } = await testApp.duet<{ missing: { received: number }[] }>('frames', 'list')
  deepEqual(
    missing.map(({ received }) => received),
    [1],
  )
})

story(
  'frames of a private call or of a call that is over are not asked for and not taken',
  async ({ testApp, boris, anna }) => {
    const { session_id, next } = await sampled(testApp, boris, anna)
    const asked = await next()
    await anna.act('BREAK_SESSION', { session_id })
    await anna.isRefused('not_found', () => sendFrame(anna, asked))
    for (const user of [boris, anna]) user.forget()
    const direct = await inCall(testApp, { guy: boris, girl: anna, kind: 'direct' })
    await direct.connect()
    await direct.talk(30)
    await anna.notHeard('frame_request')
  },
)

story('a camera that is off is not asked for frames', async ({ testApp, boris, anna }) => {
  const call = await inCall(testApp, { guy: boris, girl: anna })
  await call.connect()
  await call.report({ girl: { video: false } })
  await testApp.advance('12 s')
  await anna.notHeard('frame_request')
})

story(
  'nudity in a public call is a warning first and then its end, each recorded once with a statement',
  async ({ testApp, boris, anna }) => {
    const { session_id, next } = await sampled(testApp, boris, anna)
    testApp.vision.nudity = 0.91
    await sendFrame(anna, await next())
    await anna.notHeard('call_warning')
    testApp.vision.nudity = 0.93
    await sendFrame(anna, await next())
    const { statement_id, rule } = await anna.heard('call_warning', { session_id })
    equal(rule, 'nudity_public')
    await sendFrame(anna, await next())
    // After a calm frame the count begins again.
    testApp.vision.nudity = 0.1
    await sendFrame(anna, await next())
    testApp.vision.nudity = 0.99
    await sendFrame(anna, await next())
    await sendFrame(anna, await next())
    await anna.notHeard('close_session')
    await sendFrame(anna, await next())
    for (const user of [boris, anna])
      await user.heard('close_session', { session_id, reason: 'moderator' })
    await anna.heard('call_warning', {}, { times: 1 })
    const { items } = await anna.get('statements')
    deepEqual(
      items.map(({ kind, reason, automatic }) => [kind, reason, automatic]),
      [
        ['call_end', 'nudity_public', true],
        ['warning', 'nudity_public', true],
      ],
    )
    equal(items[1]!.id, statement_id)
    deepEqual(
      (await anna.get('notices')).items.map(({ facts }) => facts!.what),
      ['call_end', 'warning'],
    )
    deepEqual(
      (await findings(testApp)).map(({ kind, statement_id: id }) => [kind, id]),
      [
        ['end', items[0]!.id],
        ['warning', statement_id],
      ],
    )
    // The guy learns nothing of it but the end.
    deepEqual((await boris.get('statements')).items, [])
    // The finding waits with the frames.
    const dana = await openStaff(testApp, 'moderator')
    const waiting = (await dana.get(`v2/manager/findings/${anna.id}`)) as FindingsCase
    deepEqual(
      waiting.findings.map((found) => [found.kind, found.session_id, found.frames.length]),
      [['nudity', session_id, 7]],
    )
    const [first] = waiting.findings[0]!.frames
    const shown = await fetch(
      `${testApp.origin}/api/v2/manager/findings/${anna.id}/frames/${first!.id}`,
      { headers: { cookie: dana.cookie! } },
    )
    equal(shown.headers.get('content-type'), 'image/jpeg')
    equal((await auditedActs(testApp))[0], 'frames_view')
    // Her appeal is decided with these frames.
    const { id } = await anna.post('appeals', { statement_id: items[0]!.id, text: 'no' })
    const mira = await openStaff(testApp, 'manager')
    const appealed = (await mira.get(`v2/manager/appeals/${id}`)) as AppealCase
    deepEqual([appealed.session_id, appealed.frames.length], [session_id, 7])
    equal(appealed.frames.filter(({ is_flagged }) => is_flagged).length, 2)
    const path = `v2/manager/appeals/${id}/frames/${appealed.frames[0]!.id}`
    const headers = { cookie: mira.cookie! }
    const picture = await fetch(`${testApp.origin}/api/${path}`, { headers })
    equal(picture.headers.get('content-type'), 'image/jpeg')
    equal((await auditedActs(testApp))[0], 'frames_view')
  },
)

story(
  'without a model frames are stored without a score, nothing follows from them, and doctor says so',
  async ({ testApp, boris, anna }) => {
    const { next } = await sampled(testApp, boris, anna)
    for (const answer of ['failed', 'busy', 'failed', 'busy'] as const) {
      testApp.vision.answer = answer
      await sendFrame(anna, await next())
    }
    await anna.notHeard('call_warning')
    deepEqual(
      (await stored(testApp)).map(({ nudity }) => nudity),
      [null, null, null, null],
    )
    const { moderation } = await testApp.app.hooks.diagnosis()
    const { newest_frames, frames_without_score } = moderation as Record<string, number>
    deepEqual([newest_frames, frames_without_score], [4, 4])
  },
)

story(
  'a page that sends no frames is recorded once a call, and one that loses two is not',
  async ({ testApp, boris, carl, anna, vera }) => {
    const silent = await sampled(testApp, boris, anna)
    const lossy = await sampled(testApp, carl, vera)
    for (let seconds = 0; seconds < 80; seconds += 2) {
      const before = requests(vera, lossy.session_id).length
      await testApp.advance('2 s')
      for (const call of [silent, lossy]) await call.report()
      const asked = requests(vera, lossy.session_id)
      const isLost = asked.length === 2 || asked.length === 5
      if (asked.length > before && !isLost) await sendFrame(vera, asked.at(-1)!)
    }
    await anna.act('BREAK_SESSION', { session_id: silent.session_id })
    await vera.act('BREAK_SESSION', { session_id: lossy.session_id })
    await testApp.settle()
    const { missing } = await testApp.duet<{ missing: { girl_id: number; received: number }[] }>(
      'frames',
      'list',
    )
    deepEqual(
      missing.map(({ girl_id, received }) => [girl_id, received]),
      [[anna.id, 0]],
    )
  },
)

story(
  'frames are deleted after their hours, and a frame of a finding or of an open complaint stays',
  async ({ testApp, boris, carl, anna, vera }) => {
    const calm = await sampled(testApp, boris, anna)
    await sendFrame(anna, await calm.next())
    testApp.vision.nudity = 0.95
    await sendFrame(anna, await calm.next())
    testApp.vision.nudity = 0
    const reported = await sampled(testApp, carl, vera)
    await sendFrame(vera, await reported.next())
    await carl.act('TO_COMPLAIN', {
      reason: 'dislike',
      user_id: vera.id,
      comment: '',
      session_id: reported.session_id,
    })
    equal((await files(testApp)).length, 3)
    const purge = async () => {
      await enforceRetention(testApp.app, retentionRules(testApp.running.modules))
      await testApp.settle()
      return (await stored(testApp)).map(({ girl_id, nudity }) => [girl_id, nudity! > 0.5])
    }
    await testApp.leap('71 h')
    equal((await purge()).length, 3)
    await testApp.leap('2 h')
    // A nudity that waits keeps the frames of its call.
    deepEqual(await purge(), [
      [anna.id, false],
      [anna.id, true],
      [vera.id, false],
    ])
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const { findings } = await dana.get(`v2/manager/findings/${anna.id}`)
    await dana.post(`v2/manager/findings/${anna.id}/decide`, {
      decision: 'no_violation',
      comment: 'x',
      until_finding: (findings as { id: number }[])[0]!.id,
    })
    await testApp.leap('73 h')
    deepEqual(await purge(), [
      [anna.id, true],
      [vera.id, false],
    ])
    equal((await files(testApp)).length, 2)
    // The finding is deleted with its flag, and its frame at the next run.
    await testApp.leap('4400 h')
    await purge()
    deepEqual(await purge(), [[vera.id, false]])
    equal((await files(testApp)).length, 1)
  },
)

story(
  'a hold keeps the frames of its user from before it until it is lifted',
  async ({ testApp, boris, anna }) => {
    const { next } = await sampled(testApp, boris, anna)
    await sendFrame(anna, await next())
    const line = ['hold', 'add', anna.id, '--reason', 'case 17'] as const
    const { hold_id } = await testApp.duet<{ hold_id: number }>(...line)
    const [old] = await stored(testApp)
    await sendFrame(anna, await next())
    await sendFrame(anna, await next())
    await testApp.leap('9000 h')
    const { app } = testApp
    const walk = { from: old!.at }
    await app.transact((tx) => purgeFrames(tx, app.clock.now(), 1, walk))
    ok(Temporal.Instant.compare(walk.from, old!.at) > 0, 'the next batch begins after what is kept')
    const purge = async () => {
      await enforceRetention(app, retentionRules(testApp.running.modules))
      await testApp.settle()
      return [(await stored(testApp)).length, (await files(testApp)).length]
    }
    deepEqual(await purge(), [1, 1])
    await testApp.duet('hold', 'remove', hold_id)
    deepEqual(await purge(), [0, 0])
  },
)

story(
  'a complaint after the call, from the receipt or days later from the history, has the frames of the call and keeps them',
  async ({ testApp, boris, carl, anna, vera }) => {
    const cases: number[] = []
    for (const [guy, girl, reason, waits] of [
      [boris, anna, 'spam', '1 s'],
      [carl, vera, 'child', '71 h'],
    ] as const) {
      const { session_id, next } = await sampled(testApp, guy, girl)
      await sendFrame(girl, await next())
      await sendFrame(girl, await next())
      await guy.act('BREAK_SESSION', { session_id })
      await testApp.leap(waits)
      const said = { reason, user_id: girl.id, comment: '', session_id } as const
      cases.push((await guy.act('TO_COMPLAIN', said)).complaint_id)
    }
    const dana = await openStaff(testApp, 'moderator')
    const counts = []
    for (const complaint of cases) {
      const { frames } = (await dana.get(`v2/manager/complaints/${complaint}`)) as ComplaintCase
      counts.push(frames.length)
    }
    deepEqual(counts, [2, 2])
    // The complaint about a minor has copies, which outlive every retention.
    await testApp.settle()
    const copies = await testApp.app.db
      .selectFrom('evidence_files')
      .select(['complaint_id', 'kind'])
      .orderBy('kind')
      .execute()
    deepEqual(
      copies.map(({ complaint_id, kind }) => [complaint_id, kind]),
      ['frame', 'frame', 'record'].map((kind) => [cases[1], kind]),
    )
    await testApp.leap('80 h')
    await enforceRetention(testApp.app, retentionRules(testApp.running.modules))
    await testApp.settle()
    equal((await stored(testApp)).length, 4)
    equal((await files(testApp)).length, 4)
  },
)

story(
  'the frames of a call in which she was absent stay until staff have compared them and decided',
  async ({ testApp, boris, carl, anna, vera }) => {
    await testApp.setting('face_absence', '20')
    await testApp.duet('grant', boris.id, 5, 'diamond', '--reason', 'test')
    const other = await sampled(testApp, carl, vera)
    await sendFrame(vera, await other.next())
    const { session_id, next, talk } = await sampled(testApp, boris, anna)
    await sendFrame(anna, await next())
    await sendFrame(anna, await next())
    for (let times = 0; times < 3; times += 1) {
      await talk(21)
      await anna.act('FACE_STATE', { session_id, present: false, since_ms: 20_000 })
      await anna.act('FACE_STATE', { session_id, present: true, since_ms: 0 })
    }
    await boris.act('BREAK_SESSION', { session_id })
    const path = `v2/manager/findings/${anna.id}` as const
    const dana = await openStaff(testApp, 'moderator')
    const { findings: found } = (await dana.get(path)) as FindingsCase
    deepEqual(
      found.map((finding) => [finding.kind, finding.session_id]),
      [['absence', session_id]],
    )
    const [frame] = found[0]!.frames
    equal(found[0]!.frames.length, 2)
    const picture = await fetch(`${testApp.origin}/api/${path}/frames/${frame!.id}`, {
      headers: { cookie: dana.cookie! },
    })
    equal(picture.headers.get('content-type'), 'image/jpeg')
    equal((await auditedActs(testApp))[0], 'frames_view')
    // The frames of another girl are no frames of this case.
    const foreign = (await stored(testApp)).find(({ girl_id }) => girl_id === vera.id)!
    await dana.isRefused('not_found', () => dana.get(`${path}/frames/${foreign.frame_id}`))
    const purge = async () => {
      await testApp.leap('80 h')
      await enforceRetention(testApp.app, retentionRules(testApp.running.modules))
      await testApp.settle()
      return (await stored(testApp)).map((frame) => frame.session_id)
    }
    deepEqual(await purge(), [session_id, session_id])
    const decision = { decision: 'no_violation', comment: 'She sat in the dark.' } as const
    const emil = await openStaff(testApp, 'moderator', 'emil@duet.example')
    await emil.post(`${path}/decide`, { until_finding: found[0]!.id, ...decision })
    deepEqual(await purge(), [])
    equal((await files(testApp)).length, 0)
  },
)

story(
  'a ban from a call rests on its frame, its place and its time, for the user, the log and an appeal',
  async ({ testApp, boris, anna, vera }) => {
    const { session_id, next } = await sampled(testApp, boris, anna)
    await sendFrame(anna, await next())
    const dana = await openStaff(testApp, 'moderator')
    const given = { reason: 'nudity', hours: 24, comment: 'not so', session_id } as const
    const ban = (user: TestUser) =>
      dana.post('v2/manager/ban/impose', { ...given, user_id: user.id })
    await dana.isRefused('not_found', () => ban(vera))
    const { statement_id } = await ban(anna)
    const { evidence, place, call_at } = await anna.get(`statements/${statement_id}`)
    deepEqual([evidence, place, typeof call_at], [['frame'], 'public_call', 'string'])
    const ofBoris = await ban(boris)
    const his = await boris.get(`statements/${ofBoris.statement_id}`)
    deepEqual([his.evidence, his.place, his.call_at], [[], 'public_call', call_at])
    const owner = await openStaff(testApp, 'owner')
    const log = await owner.get('v2/manager/audit', { act: 'ban_impose', user_id: anna.id })
    deepEqual(
      log.items.map(({ facts }) => facts['session_id']),
      [session_id],
    )
    const { id } = await anna.post('appeals', { statement_id, text: 'it was not me' })
    const shown = (await owner.get(`v2/manager/appeals/${id}`)) as unknown as AppealCase
    deepEqual([shown.session_id, shown.frames.length], [session_id, 1])
  },
)

story(
  'the frames of a call stay while a warning of staff about it can be appealed',
  async ({ testApp, boris, anna }) => {
    const { session_id, next } = await sampled(testApp, boris, anna)
    await sendFrame(anna, await next())
    const dana = await openStaff(testApp, 'moderator')
    await dana.post(
      `v2/manager/wall/${session_id}/warn`,
      { user_id: anna.id, rule: 'harassment', comment: 'be kind' },
      { 'idempotency-key': crypto.randomUUID() },
    )
    const kept = async (hours: number) => {
      await testApp.leap(`${hours} h`)
      await enforceRetention(testApp.app, retentionRules(testApp.running.modules))
      return (await stored(testApp)).length
    }
    equal(await kept(100), 1)
    equal(await kept(24 * 183), 0)
  },
)
