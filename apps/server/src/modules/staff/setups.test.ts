import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { codeAt, openStaff, STAFF_PASSWORD } from '@duet/testkit/test-staff.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const MIA = 'mia@duet.example'

function linkFor(owner: TestUser, email: string, role = 'manager') {
  const given = { email, role: role as 'manager', new_link: true, reason: 'a lost phone' }
  return owner.post('v2/manager/staff', given)
}

/** The token of the link in the latest mail to this address. */
async function mailedToken(testApp: TestApp, email: string): Promise<string> {
  const mails = await testApp.mails(email)
  return mails.flatMap(({ text }) => /\/office\/setup\/#([\w-]{43})/.exec(text)?.[1] ?? [])[0]!
}

async function setUp(testApp: TestApp, name: string, token: string) {
  const page = testApp.user(name)
  const { totp_secret } = await page.post('v2/manager/setup/begin', { token })
  const otp = codeAt(totp_secret, testApp.clock.now())
  await page.post('v2/manager/setup/finish', { token, password: STAFF_PASSWORD, otp })
  return { page, secret: totp_secret }
}

/** The warnings of this member are stopped. */
async function stop(testApp: TestApp, member: TestUser, user: TestUser): Promise<number> {
  await testApp.duet('settings', 'set', 'bulk_warnings_max', '1')
  await member.post(
    'v2/manager/warning/impose',
    { user_id: user.id, reason: 'other', comment: 'Please be kind.' },
    { 'idempotency-key': crypto.randomUUID() },
  )
  return (await member.get('v2/manager/bulk-stops')).stops.at(-1)!.id
}
const allow = (member: TestUser, id: number) =>
  member.post(`v2/manager/bulk-stops/${id}/allow`, { reason: 'a second look' })

story(
  'a new link of a colleague goes to its member, and the owners learn of it',
  async ({ testApp }) => {
    const owner = await openStaff(testApp, 'owner')
    await openStaff(testApp, 'manager', MIA)
    await openStaff(testApp, 'owner', 'otto@duet.example')
    deepEqual(await testApp.mails(), [])
    deepEqual((await linkFor(owner, MIA)).link, null)
    const subjects = async (to: string) =>
      (await testApp.mails(to)).map(({ subject }) => subject).toSorted()
    deepEqual(await subjects(MIA), ['Your link to set up the sign-in of the back office'])
    const made = [`A one-time link for ${MIA}`]
    deepEqual(await subjects('owner@duet.example'), made)
    deepEqual(await subjects('otto@duet.example'), made)
    await setUp(testApp, 'mia again', await mailedToken(testApp, MIA))
    deepEqual(await subjects('otto@duet.example'), [...made, `${MIA} has a new sign-in`])
    for (const { text } of await testApp.mails('otto@duet.example'))
      match(text, /owner@duet\.example/)
    ok((await subjects(MIA)).includes(`${MIA} has a new sign-in`))
    const entries = await testApp.duet<{ act: string; facts: object }[]>('audit', 'list')
    deepEqual(
      entries.slice(0, 3).map(({ act }) => act),
      ['staff_sign_in', 'staff_setup', 'staff_link'],
    )
    deepEqual(entries[0]!.facts, { set_up_by: 'owner@duet.example' })
  },
)

story('a member who has left and returns gets the link by mail as well', async ({ testApp }) => {
  const owner = await openStaff(testApp, 'owner')
  await openStaff(testApp, 'manager', MIA)
  await owner.post('v2/manager/staff', { email: MIA, role: null, reason: 'left' })
  equal((await linkFor(owner, MIA)).link, null)
  ok(await mailedToken(testApp, MIA))
})

story(
  'for a day a member set up by a link allows nothing of its maker',
  async ({ testApp, boris }) => {
    const owner = await openStaff(testApp, 'owner')
    const other = await openStaff(testApp, 'manager', 'otto@duet.example')
    const { link } = await linkFor(owner, MIA, 'owner')
    const { page: mia, secret } = await setUp(testApp, 'the owner as mia', link!.split('#')[1]!)
    const ofOwner = await stop(testApp, owner, boris)
    await mia.isRefused('role_forbidden', () => allow(mia, ofOwner))
    // The other way round, and through a third member.
    const ofMia = await stop(testApp, mia, boris)
    await owner.isRefused('role_forbidden', () => allow(owner, ofMia))
    const next = (await linkFor(mia, 'third@duet.example')).link!
    const { page: third } = await setUp(testApp, 'the owner as the third', next.split('#')[1]!)
    await third.isRefused('role_forbidden', () => allow(third, ofOwner))
    await allow(other, ofMia)
    await testApp.leap('24 h')
    const otp = codeAt(secret, testApp.clock.now())
    await mia.post('v2/manager/sign-in', { email: MIA, password: STAFF_PASSWORD, otp })
    await allow(mia, ofOwner)
  },
)

story('a circle of links makes no second person', async ({ testApp, boris }) => {
  const owner = await openStaff(testApp, 'owner')
  const first = (await linkFor(owner, MIA, 'owner')).link!
  const { page: mia } = await setUp(testApp, 'the owner as mia', first.split('#')[1]!)
  const next = (await linkFor(mia, 'dan@duet.example', 'owner')).link!
  const { page: dan } = await setUp(testApp, 'the owner as dan', next.split('#')[1]!)
  await linkFor(dan, MIA, 'owner')
  const { page: again } = await setUp(testApp, 'mia again', await mailedToken(testApp, MIA))
  const stopped = await stop(testApp, owner, boris)
  for (const member of [again, dan])
    await member.isRefused('role_forbidden', () => allow(member, stopped))
})
