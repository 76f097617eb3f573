import { deepEqual, equal } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { solvedCaptcha } from '@duet/testkit/stand-ins/captcha-solver.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { fileForm, patternBytes, uploadImage } from '@duet/testkit/uploads.ts'
import type { RequestContext } from '../../core/request-context.ts'
import type { Viewer } from '../../core/viewer.ts'
import { mayHideNamed } from './report-limits.ts'

interface PictureForm {
  readonly bytes?: Uint8Array
  readonly where?: string
  readonly contact?: string
}

/** Sends the form of intimate pictures with its captcha. Returns the secret. */
async function reportPicture(
  page: TestUser,
  { bytes, where = 'in a profile', contact = 'vera@elsewhere.example' }: PictureForm,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const fields = { secret, contact, where, signature: 'Vera Novak' }
  const form = () => {
    if (bytes) return fileForm('image', bytes, fields)
    const plain = new FormData()
    for (const [name, value] of Object.entries(fields)) plain.set(name, value)
    return plain
  }
  const path = 'reports/intimate-image'
  const asked = await page.isRefused('captcha_required', () => page.post(path, form()))
  await page.post(path, form(), { captcha: await solvedCaptcha(asked) })
  return secret
}

async function addPhoto(user: TestUser, pattern: number): Promise<string> {
  const { media } = await user.post('gallery/media', fileForm('media', await patternBytes(pattern)))
  return media.id
}

async function statuses(testApp: TestApp, ...ids: string[]) {
  const rows = await testApp.app.db
    .selectFrom('media')
    .select(['id', 'status'])
    .where('id', 'in', ids)
    .execute()
  return ids.map((id) => rows.find((row) => row.id === id)?.status)
}

const firstReport = async (testApp: TestApp) =>
  (await testApp.duet<{ id: number }[]>('report', 'list'))[0]!.id

const decide = (testApp: TestApp, id: number, decision: string) =>
  testApp.duet('report', 'decide', id, '--decision', decision, '--answer', 'Seen.', '--as', 'olga')

const watch = (testApp: TestApp) => testApp.app.jobs.run('reports watch')

story(
  'a picture that an upheld appeal brings back stays, and may be uploaded again',
  async ({ testApp, boris }) => {
    const [id, other] = [await addPhoto(boris, 71), await addPhoto(boris, 72)]
    const visitor = testApp.user('a liar')
    await reportPicture(visitor, { bytes: await patternBytes(71), where: other })
    const report = await firstReport(testApp)
    await decide(testApp, report, 'upheld')
    deepEqual(await statuses(testApp, id, other), ['removed', 'removed'])
    const { items } = await boris.get('statements')
    const manager = await openStaff(testApp, 'manager')
    const { rows } = await testApp.database.pool.query<{ statement_id: string }>(
      'select statement_id from removals where media_id = $1',
      [id],
    )
    equal(items.length, 2)
    const statement_id = Number(rows[0]!.statement_id)
    const appeal = await boris.post('appeals', { statement_id, text: 'This is me.' })
    await manager.post(`v2/manager/appeals/${appeal.id}/decide`, { upheld: true, answer: 'Yes.' })
    deepEqual(await statuses(testApp, id, other), ['ready', 'removed'])
    await watch(testApp)
    deepEqual(await statuses(testApp, id, other), ['ready', 'removed'])
    const again = await addPhoto(boris, 71)
    await watch(testApp)
    deepEqual(await statuses(testApp, id, again), ['ready', 'ready'])
    await boris.isRefused('image_removed', () => addPhoto(boris, 72))
  },
)

story(
  'a report that an owner files of the own picture and staff reject does not protect it from its victim',
  async ({ testApp, boris }) => {
    const id = await addPhoto(boris, 73)
    const visitor = testApp.user('vera')
    const report = async (contact: string) => {
      await reportPicture(visitor, { where: id, contact })
      return (await statuses(testApp, id))[0]
    }
    const rejected = async () => decide(testApp, await firstReport(testApp), 'rejected')
    equal(await report('boris@elsewhere.example'), 'pending')
    await rejected()
    equal(await report('Boris@elsewhere.example'), 'ready')
    await rejected()
    equal(await report('vera@elsewhere.example'), 'pending')
    await rejected()
    // No person takes a picture away again and again under one name after another, but the clock goes on.
    equal(await report('carl@elsewhere.example'), 'ready')
    await testApp.leap('46 h')
    await watch(testApp)
    deepEqual(await statuses(testApp, id), ['ready'])
    await testApp.leap('61 min')
    await watch(testApp)
    deepEqual(await statuses(testApp, id), ['removed'])
  },
)

story(
  'forms that name no upload to hide do not use up the limit, and the networks of a site have one together',
  async ({ testApp, anna }) => {
    const portrait = await uploadImage(anna, 'avatar', await patternBytes(74))
    const { id: approved } = portrait as { id: string }
    await testApp.duet('media', 'approve', approved)
    const visitor = testApp.user('an attacker')
    for (let form = 0; form < 6; form += 1) {
      const unknown = Array.from({ length: 4 }, () => crypto.randomUUID())
      await reportPicture(visitor, { where: [approved, ...unknown].join(' ') })
    }
    const id = await addPhoto(anna, 75)
    await reportPicture(visitor, { where: id })
    deepEqual(await statuses(testApp, approved, id), ['ready', 'pending'])

    const mayHide = (address: string) =>
      mayHideNamed(testApp.app, 20, {
        viewer: { kind: 'none' } as Viewer,
        context: { address } as RequestContext,
      })
    const networks = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:2:1::1']
    const allowed: boolean[] = []
    for (const network of networks) allowed.push(await mayHide(network))
    deepEqual(allowed, [true, true, false, true])
  },
)

story(
  'a picture that many users have is not hidden by a form at once, and the clock removes none of a verified owner',
  async ({ testApp, anna, boris }) => {
    const [hers, his] = [await addPhoto(anna, 76), await addPhoto(boris, 76)]
    const bytes = await patternBytes(76)
    const visitor = testApp.user('a competitor')
    // As if copies of nineteen users had been hidden that day.
    await mayHideNamed(testApp.app, 19, {
      viewer: { kind: 'none' } as Viewer,
      context: { address: '127.0.0.1' } as RequestContext,
    })
    const secret = await reportPicture(visitor, { bytes })
    deepEqual(await statuses(testApp, hers, his), ['ready', 'ready'])
    const state = async () => (await visitor.post('reports/state', { secret })).refused_again
    equal(await state(), false)
    await testApp.leap('47 h')
    await watch(testApp)
    deepEqual(await statuses(testApp, hers, his), ['pending', 'removed'])
    await decide(testApp, await firstReport(testApp), 'upheld')
    deepEqual(await statuses(testApp, hers, his), ['removed', 'removed'])
    equal(await state(), true)
    await boris.isRefused('image_removed', () => addPhoto(boris, 76))
  },
)

story(
  'forms of a stranger with the address of a reporter suppress no mail about a decision',
  async ({ testApp, boris }) => {
    const id = await addPhoto(boris, 77)
    const contact = 'vera@elsewhere.example'
    await reportPicture(testApp.user('vera'), { where: id, contact })
    const report = await firstReport(testApp)
    for (let form = 0; form < 4; form += 1)
      await reportPicture(testApp.user('a stranger'), { where: 'nowhere', contact })
    await decide(testApp, report, 'upheld')
    await testApp.settle()
    const subjects = (await testApp.mails(contact)).map(({ subject }) => subject)
    equal(subjects.filter((one) => one.startsWith('We answered your report')).length, 1)
    equal(subjects.length, 5)
  },
)

story(
  'forms about a child that name nothing known, or come one after another, do not stand before a real one',
  async ({ testApp, anna }) => {
    const page = testApp.user('an attacker')
    const report = async (where: string) => {
      const secret = randomBytes(32).toString('base64url')
      const contact = `${where.length}@elsewhere.example`
      const sent = { secret, contact, where, reason: 'child', text: 'A child.' }
      const path = 'reports/content'
      try {
        return (await page.post(path, sent)).receipt
      } catch {
        const asked = await page.isRefused('captcha_required', () => page.post(path, sent))
        return (await page.post(path, sent, { captcha: await solvedCaptcha(asked) })).receipt
      }
    }
    const fake = await report('a person of my own')
    const real = [await report(String(anna.id)), await report(String(anna.id))]
    const third = await report(String(anna.id))
    const dana = await openStaff(testApp, 'moderator')
    const { items } = await dana.get('v2/manager/reports')
    deepEqual(
      items.map(({ receipt }) => receipt),
      [...real, fake, third],
    )
  },
)
