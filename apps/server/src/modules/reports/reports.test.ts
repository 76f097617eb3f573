import { checkBulk } from '../bulk/index.ts'
import { productDay } from '../../lib/clock.ts'
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { dialogBetween } from '@duet/testkit/messenger.ts'
import { solvedCaptcha } from '@duet/testkit/stand-ins/captcha-solver.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { type TestUser, WireRefused } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes, uploadImage } from '@duet/testkit/uploads.ts'

const REPORTER = 'vera@elsewhere.example'
const newSecret = () => randomBytes(32).toString('base64url')

function content(fields: object = {}) {
  return {
    secret: newSecret(),
    contact: REPORTER,
    where: 'https://duet.example/girl/ANNA',
    reason: 'impersonation',
    text: 'She uses my photos.',
    ...fields,
  }
}

/** Sends the form of intimate pictures, with the captcha that it always asks for. */
async function reportPicture(
  page: TestUser,
  { bytes, where = 'in a profile', secret = newSecret() }: PictureReport,
) {
  const fields = { secret, contact: REPORTER, where, signature: 'Vera Novak' }
  const form = () => {
    if (bytes) return fileForm('image', bytes, fields)
    const plain = new FormData()
    for (const [name, value] of Object.entries(fields)) plain.set(name, value)
    return plain
  }
  const path = 'reports/intimate-image'
  const asked = await page.isRefused('captcha_required', () => page.post(path, form()))
  const captcha = await solvedCaptcha(asked)
  const { receipt } = await page.post(path, form(), { captcha })
  return { receipt, secret, again: () => page.post(path, form()) }
}
interface PictureReport {
  readonly bytes?: Uint8Array
  readonly where?: string
  readonly secret?: string
}

const listed = (testApp: TestApp, ...options: string[]) =>
  testApp.duet<{ id: number; kind: string; decision: string | null; decided_by: string }[]>(
    'report',
    'list',
    ...options,
  )

async function firstReport(testApp: TestApp): Promise<number> {
  return (await listed(testApp))[0]!.id
}

const decide = (testApp: TestApp, id: number, decision: string, answer = 'We looked at it.') =>
  testApp.duet('report', 'decide', id, '--decision', decision, '--answer', answer, '--as', 'olga')

const fetchState = (page: TestUser, secret: string) => page.post('reports/state', { secret })

async function addPhoto(user: TestUser, bytes: Uint8Array) {
  const { media } = await user.post('gallery/media', fileForm('media', bytes))
  return media.id
}

async function statuses(testApp: TestApp, ids: readonly string[]) {
  const rows = await testApp.app.db
    .selectFrom('media')
    .select(['id', 'status', 'reason'])
    .where('id', 'in', [...ids])
    .execute()
  return ids.map((id) => {
    const row = rows.find((one) => one.id === id)
    return row && [row.status, row.reason]
  })
}

function changed(bytes: Uint8Array, change: (image: Sharp) => Sharp): Promise<Buffer> {
  return change(sharp(bytes)).jpeg({ quality: 60 }).toBuffer()
}

const HIDDEN = ['pending', 'intimate_image']
const REMOVED = ['removed', 'intimate_image']
const SHOWN = ['ready', null]
const forms = (bytes: Uint8Array) =>
  Promise.all([
    changed(bytes, (image) => image),
    changed(bytes, (image) => image.resize(320)),
    changed(bytes, (image) => image.extract({ left: 6, top: 8, width: 786, height: 586 })),
    changed(bytes, (image) => image.flop()),
  ])

story(
  'every copy of a reported intimate picture is hidden at once, removed by the decision, and refused again',
  async ({ testApp, boris, carl, anna }) => {
    const bytes = await patternBytes(31)
    const copies = await forms(bytes)
    const ids = [
      await addPhoto(boris, copies[0]!),
      await addPhoto(carl, copies[1]!),
      await addPhoto(anna, copies[2]!),
      await addPhoto(anna, copies[3]!),
    ]
    const other = await addPhoto(anna, await patternBytes(32))
    const visitor = testApp.user('vera')
    const { receipt, secret } = await reportPicture(visitor, { bytes })
    match(receipt, /^[A-Z2-9]{5}-[A-Z2-9]{5}$/)
    deepEqual(await statuses(testApp, [...ids, other]), [...ids.map(() => HIDDEN), SHOWN])
    for (const copy of copies) await carl.isRefused('image_removed', () => addPhoto(carl, copy))
    const open = await fetchState(visitor, secret)
    deepEqual([open.pictures, open.refused_again, open.decision], [4, true, null])

    await decide(testApp, await firstReport(testApp), 'upheld')
    deepEqual(await statuses(testApp, [...ids, other]), [...ids.map(() => REMOVED), SHOWN])
    for (const copy of copies) await boris.isRefused('image_removed', () => addPhoto(boris, copy))
    await anna.isRefused('image_removed', () => uploadImage(anna, 'messenger', bytes))
    const decided = await fetchState(visitor, secret)
    deepEqual([decided.decision, decided.answer], ['upheld', 'We looked at it.'])
    const { items } = await boris.get('notices')
    equal(items.find(({ kind }) => kind === 'photo')!.facts!.verdict, 'intimate_image')
  },
)

story(
  'a report without a decision removes the picture by the clock before its 48 hours end, and staff may decide again',
  async ({ testApp, boris }) => {
    const id = await addPhoto(boris, await patternBytes(33))
    const visitor = testApp.user('vera')
    const { secret } = await reportPicture(visitor, {
      where: `https://duet.example/media/${id}/full`,
    })
    deepEqual(await statuses(testApp, [id]), [HIDDEN])
    await testApp.leap('46 h')
    await testApp.app.jobs.run('reports watch')
    deepEqual(await statuses(testApp, [id]), [HIDDEN])
    await testApp.leap('61 min')
    await testApp.app.jobs.run('reports watch')
    deepEqual(await statuses(testApp, [id]), [REMOVED])
    await boris.isRefused('image_removed', async () => addPhoto(boris, await patternBytes(33)))
    deepEqual((await fetchState(visitor, secret)).answer, '')
    const [report] = await listed(testApp, '--decided')
    equal(report!.decided_by, '#clock')

    await decide(testApp, report!.id, 'rejected')
    deepEqual(await statuses(testApp, [id]), [SHOWN])
    await addPhoto(boris, await patternBytes(33))
    deepEqual((await fetchState(visitor, secret)).refused_again, false)
  },
)

story(
  'a rejected report shows again what it hid, and the next one hides none of it by itself',
  async ({ testApp, anna, boris }) => {
    const bytes = await patternBytes(34)
    const id = await addPhoto(anna, bytes)
    const visitor = testApp.user('a jealous person')
    await reportPicture(visitor, { bytes })
    const former = await firstReport(testApp)
    await decide(testApp, former, 'rejected')
    deepEqual(await statuses(testApp, [id]), [SHOWN])
    await reportPicture(visitor, { bytes })
    const next = await firstReport(testApp)
    deepEqual(await statuses(testApp, [id]), [SHOWN])
    await testApp.app.jobs.run('reports watch')
    deepEqual(await statuses(testApp, [id]), [SHOWN])
    // Staff who uphold it remove the picture all the same.
    await boris.isRefused('image_removed', () => addPhoto(boris, bytes))
    await decide(testApp, next, 'upheld')
    deepEqual(await statuses(testApp, [id]), [REMOVED])
  },
)

story(
  'a form hides no portrait that staff approved: it is first in the queue, staff are alarmed, and the clock leaves it',
  async ({ testApp, anna }) => {
    const bytes = await patternBytes(45)
    const { id } = (await uploadImage(anna, 'avatar', bytes)) as { id: string }
    await testApp.duet('media', 'approve', id)
    const photo = await addPhoto(anna, await patternBytes(46))
    const visitor = testApp.user('a competitor')
    const where = (...ids: string[]) =>
      ids.map((one) => `https://duet.example/media/${one}/full`).join(' ')
    await reportPicture(visitor, { where: where(photo) })
    const other = await addPhoto(anna, await patternBytes(49))
    const { secret } = await reportPicture(visitor, { where: where(id, other) })
    deepEqual(await statuses(testApp, [id, photo, other]), [SHOWN, HIDDEN, HIDDEN])
    const counts = async () => {
      const { pictures, shown } = await fetchState(visitor, secret)
      return [pictures, shown]
    }
    deepEqual(await counts(), [1, 1])
    await openStaff(testApp, 'manager', 'mia@duet.example')
    const alarms = async () => {
      await testApp.app.jobs.run('reports shown')
      await testApp.settle()
      const mails = await testApp.mails('mia@duet.example')
      return mails.map(({ subject }) => subject).filter((one) => one.includes('shown still'))
    }
    await testApp.leap('29 min')
    deepEqual(await alarms(), [])
    await testApp.leap('61 s')
    deepEqual(await alarms(), ['Reported intimate pictures are shown still: 1'])
    equal((await alarms()).length, 1)
    const first = await firstReport(testApp)
    deepEqual(
      (await listed(testApp)).map((one) => one.id),
      [first, first - 1],
    )
    await testApp.leap('48 h')
    equal((await alarms()).length, 2)
    await testApp.app.jobs.run('reports watch')
    deepEqual(await statuses(testApp, [id, photo, other]), [SHOWN, HIDDEN, HIDDEN])
    deepEqual((await fetchState(visitor, secret)).decision, null)
    await decide(testApp, first, 'upheld')
    deepEqual(await statuses(testApp, [id]), [REMOVED])
    deepEqual(await counts(), [2, 0])
    await testApp.leap('2 h')
    equal((await alarms()).length, 2)
  },
)

story(
  'forms of one network hide twenty named uploads a day, and further ones wait for staff or the clock',
  async ({ testApp, boris }) => {
    const [early, late] = [
      await addPhoto(boris, await patternBytes(47)),
      await addPhoto(boris, await patternBytes(48)),
    ]
    const visitor = testApp.user('a competitor')
    const { rows } = await testApp.database.pool.query<{ id: string }>(
      `insert into media (id, owner_id, product, kind, width, height, bytes, status, audience, created_at)
       select gen_random_uuid(), owner_id, product, kind, width, height, bytes, status, audience, created_at
       from media, generate_series(1, 19) where id = $1 returning id`,
      [early],
    )
    const named = [early, ...rows.map(({ id }) => id)]
    for (let from = 0; from < named.length; from += 5)
      await reportPicture(visitor, { where: named.slice(from, from + 5).join(' ') })
    await reportPicture(visitor, { where: late })
    deepEqual(await statuses(testApp, [early, late]), [HIDDEN, SHOWN])
    await testApp.leap('49 h')
    await testApp.app.jobs.run('reports watch')
    deepEqual(await statuses(testApp, [early, late]), [REMOVED, REMOVED])
  },
)

story(
  'two reports of one picture: rejecting the first neither shows nor accepts it',
  async ({ testApp, anna, boris }) => {
    const bytes = await patternBytes(35)
    const id = await addPhoto(anna, bytes)
    const visitor = testApp.user('vera')
    await reportPicture(visitor, { bytes })
    await reportPicture(visitor, { bytes })
    const [first, second] = await listed(testApp)
    await decide(testApp, first!.id, 'rejected')
    deepEqual(await statuses(testApp, [id]), [HIDDEN])
    await boris.isRefused('image_removed', () => addPhoto(boris, bytes))
    await testApp.setting('bulk_removals_max', '1')
    await testApp.app.transact((tx) => checkBulk(tx, { operator: 'olga' }, 'removal'))
    await rejects(decide(testApp, second!.id, 'upheld'), /bulk_stopped/)
    deepEqual(await statuses(testApp, [id]), [HIDDEN])
    const owner = await openStaff(testApp, 'owner')
    await owner.post('v2/manager/bulk-stops/1/allow', { reason: 'one person, many copies' })
    await decide(testApp, second!.id, 'upheld')
    deepEqual(await statuses(testApp, [id]), [REMOVED])
  },
)

story(
  'a copy that appears while a report waits is hidden, also one that a photo check let through',
  async ({ testApp, anna }) => {
    const bytes = await patternBytes(36)
    const id = await addPhoto(anna, bytes)
    // As if the upload had no hash yet and was checked before the report.
    await testApp.app.db.deleteFrom('picture_hashes').execute()
    await reportPicture(testApp.user('vera'), { bytes })
    deepEqual(await statuses(testApp, [id]), [SHOWN])
    await testApp.app.jobs.run('pictures hash')
    await testApp.app.jobs.run('reports watch')
    deepEqual(await statuses(testApp, [id]), [HIDDEN])
    await testApp.duet('media', 'approve', id)
    await testApp.app.jobs.run('reports watch')
    deepEqual(await statuses(testApp, [id]), [HIDDEN])
  },
)

story(
  'however many copies there are, all are hidden, and removed by the decision',
  async ({ testApp, anna }) => {
    const bytes = await patternBytes(43)
    const id = await addPhoto(anna, bytes)
    const { pool } = testApp.database
    await pool.query(
      `insert into media (id, owner_id, product, kind, width, height, bytes, status, audience, created_at)
       select gen_random_uuid(), owner_id, product, kind, width, height, bytes, status, audience, created_at
       from media, generate_series(1, 120) where id = $1`,
      [id],
    )
    await pool.query(
      `insert into picture_hashes (media_id, hash, parts)
       select media.id, known.hash, known.parts from media, picture_hashes known
       where known.media_id = $1 and media.owner_id = $2 and media.created_at = (select created_at from media where id = $1)
       on conflict do nothing`,
      [id, anna.id],
    )
    const counts = async () => {
      const { rows } = await pool.query<{ status: string; count: number }>(
        `select status, count(*)::integer as count from media join picture_hashes on media_id = id
         where owner_id = $1 and product = 'gallery' group by status`,
        [anna.id],
      )
      return rows.map(({ status, count }) => [status, count])
    }
    const visitor = testApp.user('vera')
    const { secret } = await reportPicture(visitor, { bytes })
    deepEqual(await counts(), [['pending', 121]])
    deepEqual(await testApp.duet('media', 'list'), [])
    equal((await fetchState(visitor, secret)).pictures, 121)
    await decide(testApp, await firstReport(testApp), 'upheld')
    await testApp.app.jobs.run('reports watch')
    deepEqual(await counts(), [['removed', 121]])
  },
)

story(
  'a reported picture of a dialog disappears for its receiver',
  async ({ testApp, boris, anna }) => {
    const bytes = await patternBytes(37)
    const dialogId = await dialogBetween(anna, boris)
    const { media } = await anna.post('v2/gallery/media/messenger', fileForm('media', bytes))
    const sent = { dialogId, message: '', type: 'image', media_id: media.id, random_id: 'one' }
    await anna.act('MESSAGE', sent as never)
    await reportPicture(testApp.user('vera'), { bytes })
    deepEqual(await statuses(testApp, [media.id]), [HIDDEN])
    await decide(testApp, await firstReport(testApp), 'upheld')
    await boris.heard('messenger_message_removed')
  },
)

story(
  'the mails about a report and their link are in the language of its form, and staff read which it is',
  async ({ testApp }) => {
    const visitor = testApp.user('vera')
    const sent = content()
    await visitor.post('reports/content', { ...sent, locale: 'de' })
    await visitor.isRefused('invalid', () =>
      visitor.post('reports/content', { ...content(), locale: 'xx' as 'de' }),
    )
    await testApp.settle()
    const [receipt] = await testApp.mails(REPORTER)
    ok(receipt!.text.includes(`/de/report/state#${sent.secret}`))
    ok(receipt!.html.includes('lang="de"'))
    const id = await firstReport(testApp)
    const manager = await openStaff(testApp, 'manager')
    equal((await manager.get(`v2/manager/reports/${id}`))['locale'], 'de')
    await decide(testApp, id, 'upheld', 'The account is closed.')
    await testApp.settle()
    for (const { html } of await testApp.mails(REPORTER)) ok(html.includes('lang="de"'))
  },
)

story(
  'public holidays lengthen the time of a report, are real days, and are shown to staff',
  async ({ testApp }) => {
    const set = (days: string) =>
      testApp.duet('settings', 'set', 'public_holidays', days, '--as', 'olga')
    const visitor = testApp.user('vera')
    const before = await visitor.post('reports/content', content())
    // The day on which the answer would be due is a working day, so that as a holiday it moves the answer.
    const due = productDay(Temporal.Instant.from(before.answer_until)).toString()
    for (const wrong of ['2026-02-30', 'Easter', `${due},${due}x`]) await rejects(set(wrong), wrong)
    await set(due)
    const after = await visitor.post('reports/content', content())
    ok(after.answer_until > before.answer_until)
    const manager = await openStaff(testApp, 'manager')
    const { items } = await manager.get('v2/manager/reports')
    const shown = items.find(({ answer_until }) => answer_until === after.answer_until)
    deepEqual((await manager.get(`v2/manager/reports/${shown!.id}`))['holidays'], [due])
    // A date that was promised before stays promised.
    ok(items.some(({ answer_until }) => answer_until === before.answer_until))
  },
)

story(
  'a form is answered with a receipt, by mail too, and its state is read with the secret only',
  async ({ testApp }) => {
    const visitor = testApp.user('vera')
    const sent = content()
    const { receipt, answer_until } = await visitor.post('reports/content', sent)
    await testApp.settle()
    const [mail] = await testApp.mails(REPORTER)
    ok(mail!.text.includes(receipt))
    ok(mail!.text.includes(`/report/state#${sent.secret}`))
    const state = await fetchState(visitor, sent.secret)
    deepEqual([state.receipt, state.answer_until, state.decision], [receipt, answer_until, null])
    await visitor.isRefused('not_found', () => fetchState(visitor, newSecret()))
    const stored = JSON.stringify(await testApp.app.db.selectFrom('reports').selectAll().execute())
    for (const secretOne of [sent.secret, REPORTER, sent.text, sent.where])
      ok(!stored.includes(secretOne), secretOne)

    const id = await firstReport(testApp)
    const shown = await testApp.duet<Record<string, unknown>>('report', 'show', id)
    deepEqual([shown.contact, shown.text, shown.where], [REPORTER, sent.text, sent.where])
    await decide(testApp, id, 'upheld', 'The account is closed.')
    await testApp.settle()
    const subjects = (await testApp.mails(REPORTER)).map(({ subject }) => subject)
    ok(subjects.includes(`We answered your report ${receipt}`), subjects.join())
    const decided = await fetchState(visitor, sent.secret)
    deepEqual([decided.decision, decided.answer], ['upheld', 'The account is closed.'])
  },
)

story(
  'a form that is sent again is one report, and other words with its secret are refused',
  async ({ testApp }) => {
    const visitor = testApp.user('vera')
    const sent = content()
    const answers = await Promise.all([
      visitor.post('reports/content', sent),
      visitor.post('reports/content', sent),
    ])
    deepEqual(answers[0], answers[1])
    await visitor.post('reports/content', sent)
    equal((await listed(testApp)).length, 1)
    await visitor.isRefused('key_reused', () =>
      visitor.post('reports/content', { ...sent, text: 'Something else.' }),
    )
    await testApp.settle()
    equal((await testApp.mails(REPORTER)).length, 1)
    await visitor.isRefused('email_invalid', () =>
      visitor.post('reports/content', content({ contact: 'no address' })),
    )
    await visitor.isRefused('invalid', () =>
      visitor.post('reports/content', content({ secret: 'short' })),
    )
  },
)

story(
  'the third form of a network in a day asks for a captcha, and one address gets few mails',
  async ({ testApp }) => {
    const visitor = testApp.user('vera')
    for (let sent = 0; sent < 2; sent += 1) await visitor.post('reports/content', content())
    const third = content()
    const asked = await visitor.isRefused('captcha_required', () =>
      visitor.post('reports/content', third),
    )
    equal((await listed(testApp)).length, 2)
    const captcha = await solvedCaptcha(asked)
    await visitor.post('reports/content', third, { captcha })
    await visitor.isRefused('captcha_required', () =>
      visitor.post('reports/content', content(), { captcha }),
    )
    for (let sent = 0; sent < 3; sent += 1) {
      const next = content()
      const again = await visitor.isRefused('captcha_required', () =>
        visitor.post('reports/content', next),
      )
      await visitor.post('reports/content', next, { captcha: await solvedCaptcha(again) })
    }
    await testApp.settle()
    equal((await testApp.mails(REPORTER)).length, 4)
  },
)

story(
  'a picture that is none is refused, and a repeat needs no second captcha',
  async ({ testApp }) => {
    const visitor = testApp.user('vera')
    await rejects(
      reportPicture(visitor, { bytes: Buffer.from('no picture') }),
      (error) => error instanceof WireRefused && error.refusal === 'wrong_type',
    )
    deepEqual(await listed(testApp), [])
    const { receipt, again } = await reportPicture(visitor, { bytes: await patternBytes(38) })
    equal((await again()).receipt, receipt)
  },
)

story(
  'a moderator decides reports once, letters of authorities are for managers, and a guest sees nothing',
  async ({ testApp, boris }) => {
    const visitor = testApp.user('vera')
    const sent = content()
    await visitor.post('reports/content', sent)
    await visitor.post('reports/authority', {
      secret: newSecret(),
      contact: 'office@police.example',
      authority: 'District court of Riga',
      officer: 'A. Berzins',
      request: 'information',
      reference: '12/2026',
      text: 'We ask for the data of the account.',
    })
    const moderator = await openStaff(testApp, 'moderator')
    const manager = await openStaff(testApp, 'manager')
    const finance = await openStaff(testApp, 'finance')
    const counted = async (staff: TestUser) => {
      const { queues } = await staff.get('v2/manager/queues')
      return queues.find(({ queue }) => queue === 'reports')!.waiting
    }
    deepEqual([await counted(moderator), await counted(manager)], [1, 2])
    const listed = (await moderator.get('v2/manager/reports')).items
    deepEqual(
      listed.map(({ kind }) => kind),
      ['content'],
    )
    const { items } = await manager.get('v2/manager/reports')
    deepEqual(
      items.map(({ kind }) => kind),
      ['content', 'authority'],
    )
    const [id, letter] = items.map((item) => item.id) as [number, number]
    equal((await moderator.get(`v2/manager/reports/${id}`)).text, sent.text)
    await moderator.isRefused('role_forbidden', () => moderator.get(`v2/manager/reports/${letter}`))
    await finance.isRefused('role_forbidden', () => finance.get('v2/manager/reports'))
    await boris.isRefused('session_invalid', () => boris.get('v2/manager/reports'))
    const verdict = { decision: 'upheld', answer: 'The account is closed.' }
    const path = (number: number) => `v2/manager/reports/${number}/decide`
    await moderator.isRefused('role_forbidden', () => moderator.post(path(letter), verdict))
    await moderator.isRefused('not_found', () => moderator.post(path(letter + 99), verdict))
    await moderator.isRefused('invalid', () => moderator.post(path(id), { ...verdict, answer: '' }))
    await manager.post('v2/manager/claim', { queue: 'reports', id: String(id) })
    await moderator.isRefused('claimed', () => moderator.post(path(id), verdict))
    await manager.post('v2/manager/release', { queue: 'reports', id: String(id) })
    await moderator.post(path(id), verdict)
    await moderator.post(path(id), verdict)
    await manager.isRefused('decided', () =>
      manager.post(path(id), { ...verdict, decision: 'rejected' }),
    )
    const officer = (await manager.get(`v2/manager/reports/${letter}`)).signature
    equal(officer, 'District court of Riga, A. Berzins')
    await manager.post(path(letter), verdict)
    const decided = await manager.get('v2/manager/reports', { state: 'decided' })
    deepEqual(
      decided.items.map(({ decided_by }) => decided_by),
      ['manager@duet.example', 'moderator@duet.example'],
    )
  },
)

story('the numbers of a month count each kind, and what was late', async ({ testApp, anna }) => {
  const bytes = await patternBytes(39)
  await addPhoto(anna, bytes)
  const visitor = testApp.user('vera')
  await visitor.post('reports/content', content())
  await visitor.post('reports/content', content())
  await reportPicture(visitor, { bytes })
  const month = testApp.clock.now().toString().slice(0, 7)
  const [picture, ...others] = await listed(testApp)
  await testApp.leap('3 h')
  await decide(testApp, picture!.id, 'upheld')
  await decide(testApp, others[0]!.id, 'rejected')
  await testApp.leap('300 h')
  const { kinds } = await testApp.duet<{ kinds: object[] }>('report', 'numbers', month)
  const none = { upheld: 0, rejected: 0, open: 0, late: 0, median_hours: null, pictures: 0 }
  deepEqual(kinds, [
    { kind: 'intimate_image', ...none, received: 1, upheld: 1, median_hours: 3, pictures: 1 },
    { kind: 'content', ...none, received: 2, rejected: 1, open: 1, late: 1, median_hours: 3 },
    { kind: 'authority', ...none, received: 0 },
  ])
  await rejects(testApp.duet('report', 'numbers', '2026-13'))
  await rejects(decide(testApp, others[1]!.id, 'perhaps'))
  await rejects(testApp.duet('report', 'decide', others[1]!.id, '--decision', 'upheld'))
  await rejects(decide(testApp, 9999, 'upheld'))
})

story(
  'the shell writes the pictures of a report with the name of the viewer',
  async ({ testApp, anna }) => {
    const bytes = await patternBytes(40)
    const media_id = await addPhoto(anna, bytes)
    await reportPicture(testApp.user('vera'), { bytes })
    const id = await firstReport(testApp)
    const out = join(testApp.config.data_dir, 'looked-at')
    await testApp.duet('report', 'show', id, '--out', out, '--as', 'olga')
    deepEqual(await readdir(out), [`report-${id}-${media_id}.jpg`])
  },
)

story(
  'staff see the pictures of a report with their name on them, and each look and decision is in the audit log',
  async ({ testApp, anna }) => {
    const bytes = await patternBytes(41)
    const media_id = await addPhoto(anna, bytes)
    const strange = await addPhoto(anna, await patternBytes(42))
    await reportPicture(testApp.user('vera'), { bytes })
    const moderator = await openStaff(testApp, 'moderator')
    const [report] = (await moderator.get('v2/manager/reports')).items
    const id = report!.id
    const open = (media: string) =>
      fetch(`${testApp.origin}/api/v2/manager/reports/${id}/pictures/${media}`, {
        headers: { 'client-version': '2.0.0', cookie: moderator.cookie! },
      })
    const picture = await open(media_id)
    deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/jpeg'])
    equal((await open(strange)).status, 404)
    const { pictures, has_hash } = await moderator.get(`v2/manager/reports/${id}`)
    deepEqual([has_hash, pictures], [true, [{ media_id, owner_id: anna.id, status: 'pending' }]])
    await moderator.post(`v2/manager/reports/${id}/decide`, { decision: 'upheld', answer: 'Gone.' })
    const rows = await testApp.app.db
      .selectFrom('audit_entries')
      .select(['act', 'facts'])
      .where('act', 'like', 'report%')
      .orderBy('entry_id')
      .execute()
    deepEqual(
      rows.map(({ act, facts }) => [act, facts]),
      [
        ['report_view', { report_id: id, media_id }],
        ['report_view', { report_id: id }],
        ['report_decide', { report_id: id, decision: 'upheld', load: 'severe' }],
      ],
    )
    const { queues } = await moderator.get('v2/manager/queues')
    equal(queues.find(({ queue }) => queue === 'reports')!.waiting, 0)
  },
)

story(
  'a report whose words the key of the server cannot read any more is shown without them, and decided',
  async ({ testApp, anna }) => {
    const bytes = await patternBytes(44)
    const media_id = await addPhoto(anna, bytes)
    const visitor = testApp.user('vera')
    const { secret } = await reportPicture(visitor, { bytes })
    await testApp.app.db.updateTable('reports').set({ sealed: 'unreadable' }).execute()
    await testApp.app.jobs.run('reports watch')
    const id = await firstReport(testApp)
    const shown = await testApp.duet<Record<string, unknown>>('report', 'show', id)
    deepEqual([shown.contact, shown.where], ['', ''])
    await decide(testApp, id, 'upheld')
    deepEqual(await statuses(testApp, [media_id]), [REMOVED])
    equal((await fetchState(visitor, secret)).decision, 'upheld')
  },
)

story('a decided report is forgotten after its time, an open one never', async ({ testApp }) => {
  const visitor = testApp.user('vera')
  const [kept, gone] = [content(), content()]
  await visitor.post('reports/content', gone)
  await decide(testApp, await firstReport(testApp), 'rejected')
  await visitor.post('reports/content', kept)
  await testApp.leap(`${366 * 24} h`)
  await testApp.app.jobs.run('retention')
  await visitor.isRefused('not_found', () => fetchState(visitor, gone.secret))
  equal((await fetchState(visitor, kept.secret)).decision, null)
})

story(
  'a report about a child stands first, names its accused, alarms after 15 minutes, and suspends no account by itself',
  async ({ testApp, boris, anna, vera }) => {
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const mia = await openStaff(testApp, 'manager', 'mia@duet.example')
    const page = await testApp.guest()
    await page.post('reports/content', content())
    const { ref_code } = await testApp.app.db
      .selectFrom('users')
      .select('ref_code')
      .where('id', '=', anna.id)
      .executeTakeFirstOrThrow()
    const where = `https://duet.example/girl/${ref_code}?from=catalogue`
    const sent = await page.post('reports/content', content({ reason: 'child', where }))
    const hours = testApp.clock.now().until(Temporal.Instant.from(sent.answer_until)).total('hours')
    ok(hours > 23 && hours <= 24, String(hours))
    const [first] = (await dana.get('v2/manager/reports')).items
    equal(first?.receipt, sent.receipt)
    const named = async (id: number) => {
      const report = await dana.get(`v2/manager/reports/${id}`)
      return (report['named'] as { id: number }[]).map((one) => one.id)
    }
    deepEqual(await named(first!.id), [anna.id])
    equal((await anna.auth()).moderation_info, undefined)
    const alarms = async () => {
      await testApp.app.jobs.run('reports warn')
      await testApp.settle()
      const mails = await testApp.mails()
      return mails.filter(({ subject }) => subject.startsWith('Reports about a child'))
    }
    await testApp.leap('14 min')
    deepEqual(await alarms(), [])
    await testApp.leap('61 s')
    deepEqual(
      (await alarms()).map(({ to, subject }) => [to, subject]),
      [['mia@duet.example', 'Reports about a child wait for a decision: 1']],
    )
    await testApp.leap('5 min')
    equal((await alarms()).length, 1)
    await testApp.leap('1 h')
    equal((await alarms()).length, 2)
    await mia.post(`v2/manager/reports/${first!.id}/decide`, { decision: 'upheld', answer: 'Yes.' })
    await testApp.leap('2 h')
    equal((await alarms()).length, 2)
    for (const [text, ids] of [
      [String(boris.id), [boris.id]],
      ['vera', [vera.id]],
      ['a girl in the catalogue', []],
    ] as const) {
      const captcha = await solvedCaptcha(
        await page.isRefused('captcha_required', () =>
          page.post('reports/content', content({ where: text })),
        ),
      )
      await page.post('reports/content', content({ where: text }), { captcha })
      const newest = await listed(testApp)
      deepEqual(await named(Math.max(...newest.map(({ id }) => id))), ids)
    }
  },
)

story(
  'reports about children that come one after another are one alarm in 15 minutes, and each stands first in the queue',
  async ({ testApp }) => {
    await openStaff(testApp, 'manager', 'mia@duet.example')
    const page = await testApp.guest()
    const send = async (fields: object) => {
      const form = content(fields)
      try {
        await page.post('reports/content', form)
      } catch (error) {
        ok(error instanceof WireRefused && error.refusal === 'captcha_required', String(error))
        await page.post('reports/content', form, { captcha: await solvedCaptcha(error.additional) })
      }
    }
    await send({})
    for (let minute = 0; minute < 4; minute += 1) {
      await send({ reason: 'child' })
      await testApp.leap('1 min')
    }
    const rows = await listed(testApp)
    equal(rows.at(-1)!.id, Math.min(...rows.map(({ id }) => id)))
    const subjects = async () => {
      await testApp.app.jobs.run('reports warn')
      await testApp.settle()
      return (await testApp.mails('mia@duet.example'))
        .map(({ subject }) => subject.slice(-1))
        .toReversed()
    }
    await testApp.leap('11 min')
    deepEqual(await subjects(), ['1'])
    for (let minute = 1; minute < 15; minute += 1) {
      await testApp.leap('1 min')
      deepEqual(await subjects(), ['1'])
    }
    await testApp.leap('1 min')
    deepEqual(await subjects(), ['1', '4'])
    await testApp.leap('1 h')
    deepEqual(await subjects(), ['1', '4', '4'])
  },
)

story(
  'an alarm about pictures that are shown still silences none about children',
  async ({ testApp, anna }) => {
    const { id } = (await uploadImage(anna, 'avatar', await patternBytes(45))) as { id: string }
    await testApp.duet('media', 'approve', id)
    const page = testApp.user('a visitor')
    await reportPicture(page, { where: `https://duet.example/media/${id}/full` })
    await testApp.leap('20 min')
    await page.post('reports/content', content({ reason: 'child' }))
    await openStaff(testApp, 'manager', 'mia@duet.example')
    await testApp.leap('16 min')
    for (const job of ['reports shown', 'reports watch', 'reports warn'])
      await testApp.app.jobs.run(job)
    await testApp.settle()
    const subjects = (await testApp.mails('mia@duet.example')).map(({ subject }) => subject)
    for (const start of ['Reported intimate pictures', 'Reports about a child'])
      equal(subjects.filter((one) => one.startsWith(start)).length, 1, start)
  },
)
