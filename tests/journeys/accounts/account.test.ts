import { after, afterEach, before, describe, test } from 'node:test'
import { readFile } from 'node:fs/promises'
import { deepEqual, equal, match, ok } from 'node:assert/strict'
import { unzipSync } from 'fflate'
import { pictureSize } from '@duet/testkit/uploads.ts'
import type { BrowserUser, Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

const PASSWORD = 'meadow-lantern-7'

interface Newcomer {
  readonly nick: string
  readonly email: string
  readonly gender: 'Man' | 'Woman'
}

/** The path of the newest link of this kind that was mailed to an address. */
function mailedPath(email: string, kind: 'recovery' | 'confirm'): Promise<string> {
  return until(`the ${kind} mail to ${email}`, async () => {
    const mails = (await testApp.running.app.mail.kept()) ?? []
    const [newest] = mails.filter(({ to, text }) => to === email && text.includes(`/${kind}/`))
    return newest && new RegExp(`/${kind}/[\\w-]+`).exec(newest.text)?.[0]
  })
}

async function fill(visitor: BrowserUser, label: string, text: string): Promise<void> {
  await visitor.page.getByRole('dialog').getByLabel(label, { exact: true }).fill(text)
}

async function register(visitor: BrowserUser, { nick, email, gender }: Newcomer): Promise<void> {
  const { page } = visitor
  if (visitor.screen === 'phone') {
    // The bar of the landing page has room for one button.
    await visitor.presses('Log in')
    await visitor.presses('Create an account')
  } else await visitor.presses('Create account')
  await page.getByRole('dialog').getByText(gender, { exact: true }).click()
  await fill(visitor, 'Nickname', nick)
  await fill(visitor, 'Email', email)
  await fill(visitor, 'Password', PASSWORD)
  await fill(visitor, 'Birthday', '1996-05-14')
  for (const box of await page.getByRole('checkbox').all()) await box.check()
  await page.getByRole('dialog').getByRole('button', { name: 'Create account' }).click()
  await visitor.sees(visitor.heading(`Hello, ${nick}`))
  await visitor.sees(page.getByText('Check your inbox'))
  await visitor.presses("Let's go")
}

const newcomers: Record<Screen, Newcomer[]> = {
  desktop: [
    { nick: 'Jonas', email: 'jonas@journey.example', gender: 'Man' },
    { nick: 'Paula', email: 'paula@journey.example', gender: 'Woman' },
  ],
  phone: [
    { nick: 'Milan', email: 'milan@journey.example', gender: 'Man' },
    { nick: 'Irina', email: 'irina@journey.example', gender: 'Woman' },
  ],
}

for (const screen of ['desktop', 'phone'] satisfies Screen[]) {
  describe(`an account on a ${screen}`, () => {
    for (const newcomer of newcomers[screen])
      test(`a ${newcomer.gender.toLowerCase()} registers, and confirms the address by the mail`, async () => {
        const visitor = await testApp.visit('/?rc=NOSUCHCODE', screen)
        await register(visitor, newcomer)
        await visitor.isIdle()
        equal(new URL(visitor.page.url()).search, '')
        await visitor.page.goto(testApp.origin + (await mailedPath(newcomer.email, 'confirm')))
        await visitor.sees(visitor.heading('Your email is confirmed'))
        await visitor.page.goto(`${testApp.origin}/profile/#email`)
        await visitor.sees(visitor.page.getByText('Confirmed', { exact: true }))
      })

    test('a forgotten password is replaced by the link of the mail', async () => {
      const { email } = newcomers[screen][0]!
      const visitor = await testApp.visit(`/?email=${encodeURIComponent(email)}`, screen)
      const { page } = visitor
      await visitor.presses('Log in')
      equal(await page.getByRole('dialog').getByLabel('Email').inputValue(), email)
      await fill(visitor, 'Password', 'not-the-password')
      await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click()
      await visitor.sees(page.getByText("That email and password don't match"))
      await visitor.presses('Forgot your password?')
      await visitor.presses('Send the link')
      await visitor.sees(visitor.heading('Check your inbox'))
      const path = await mailedPath(email, 'recovery')
      await page.goto(testApp.origin + path)
      await page.getByLabel('New password', { exact: true }).fill('password123')
      await page.getByLabel('New password again').fill('password124')
      await visitor.presses('Save the password')
      await visitor.sees(page.getByText('Passwords do not match'))
      await page.getByLabel('New password again').fill('password123')
      await visitor.presses('Save the password')
      await visitor.sees(page.getByText('not one of the best-known passwords'))
      for (const label of ['New password', 'New password again'])
        await page.getByLabel(label, { exact: true }).fill(`${PASSWORD}-new`)
      await visitor.presses('Save the password')
      await visitor.sees(visitor.heading('Your new password is set'))
      await visitor.presses('Log in')
      await fill(visitor, 'Email', email)
      await fill(visitor, 'Password', `${PASSWORD}-new`)
      await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click()
      await visitor.isIdle()
      await page.goto(testApp.origin + path)
      for (const label of ['New password', 'New password again'])
        await page.getByLabel(label, { exact: true }).fill(`${PASSWORD}-third`)
      await visitor.presses('Save the password')
      await visitor.sees(visitor.heading('This link has been used or is too old'))
    })
  })
}

test('the browser sends its fingerprint after the log-in, and keeps it for the next one', async () => {
  const kim = await testApp.enterNew('Kim', 'guy')
  const getKey = () => kim.page.evaluate(() => localStorage.getItem('duet.fingerprint_hash'))
  const signals = () =>
    testApp.db
      .selectFrom('client_signals')
      .select('value_hash')
      .where('user_id', '=', kim.user_id)
      .where('signal', '=', 'fingerprint')
      .execute()
  await until('the fingerprint', async () => (await signals()).length === 1)
  const kept = await getKey()
  match(kept!, /^"[0-9a-f]{32}"$/)
  await kim.reloads()
  await kim.isIdle()
  equal(await getKey(), kept)
  equal((await signals()).length, 1)
})

/** A member with a password and a photo, logged in through the dialog. */
async function loggedIn(nick: string, screen: Screen) {
  const email = `${nick.toLowerCase()}@journey.example`
  const line = ['--role', 'guy', '--nick', nick, '--email', email, '--password', PASSWORD]
  const { id } = (await testApp.duet('user', 'add', ...line, '--avatar', 'demo')) as { id: number }
  const user = await testApp.visit('/', screen)
  await logIn(user, email)
  return { id, email, user }
}

async function logIn(user: BrowserUser, email: string): Promise<void> {
  await user.presses('Log in')
  await fill(user, 'Email', email)
  await fill(user, 'Password', PASSWORD)
  await user.page.getByRole('dialog').getByRole('button', { name: 'Log in', exact: true }).click()
  await user.isIdle()
}

test('the copy of the own data is downloaded after the password, with records and pictures', async () => {
  const { id, email, user } = await loggedIn('Arno', 'desktop')
  const { page } = user
  await page.goto(`${testApp.origin}/profile/#your-data`)
  await user.presses('Download')
  const dialog = page.getByRole('dialog', { name: 'A copy of your data' })
  await dialog.getByLabel('Your password', { exact: true }).fill('not-the-password')
  await dialog.getByRole('button', { name: 'Download' }).click()
  await user.sees(dialog.getByText('Your current password is missing or wrong'))
  await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ])
  equal(download.suggestedFilename(), 'duet-data.zip')
  const files = unzipSync(await readFile(await download.path()))
  const rows = (table: string) =>
    JSON.parse(Buffer.from(files[`${table}.json`]!).toString()) as Record<string, unknown>[]
  deepEqual(
    rows('users').map((row) => [row.id, row.nick, row.email]),
    [[id, 'Arno', email]],
  )
  const pictures = Object.keys(files).filter((path) => path.startsWith('media/'))
  equal(pictures.length, 1)
  const { width, height } = await pictureSize(files[pictures[0]!]!)
  ok(width > 0 && height > 0)
  await user.presses(/^Notices/)
  await user.sees(page.getByText('A copy of your data was downloaded').first())
})

test('who deletes the account on a phone may come back by logging in', async () => {
  const { id, email, user } = await loggedIn('Bruno', 'phone')
  const { page } = user
  await page.goto(`${testApp.origin}/profile/`)
  await page.getByRole('main').getByText('Your data', { exact: true }).click()
  await user.presses('Delete account')
  const sheet = page.getByRole('alertdialog')
  // Back closes the question, and the section stays.
  await user.sees(sheet)
  await page.goBack()
  await sheet.waitFor({ state: 'hidden' })
  await user.presses('Delete account')
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await sheet.getByRole('button', { name: 'Delete account' }).click()
  await user.sees(user.heading('Your account will be deleted'))
  equal(await deletionState(id), 'asked')
  await user.presses('Close')
  await logIn(user, email)
  equal(await deletionState(id), 'cancelled')
})

/** Last, because it moves the server's clock. */
test('who deletes the account may come back for 14 days, and is forgotten after them', async () => {
  const email = 'timo@journey.example'
  const { id } = (await testApp.duet(
    ...['user', 'add', '--role', 'guy', '--nick', 'Timo', '--email', email, '--password', PASSWORD],
  )) as { id: number }
  await testApp.duet('grant', String(id), '12', 'diamond', '--reason', 'a journey')
  const timo = await testApp.visit('/')
  const { page } = timo
  const asks = async (password: string) => {
    await page.goto(`${testApp.origin}/profile/#your-data`)
    await timo.presses('Delete account')
    await timo.sees(page.getByText(/^You lose 12 minutes/))
    await page.getByLabel('Your password', { exact: true }).fill(password)
    await timo.sees(timo.button(/^Delete in \d/))
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete account' }).click()
  }
  const logsIn = async () => {
    await timo.presses('Log in')
    await fill(timo, 'Email', email)
    await fill(timo, 'Password', PASSWORD)
    await page.getByRole('dialog').getByRole('button', { name: 'Log in' }).click()
  }
  await logsIn()
  await timo.isIdle()
  await asks('not-the-password')
  await timo.sees(page.getByText('Your current password is missing or wrong'))
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete account' }).click()
  await timo.sees(timo.heading('Your account will be deleted'))
  await timo.presses('Close')
  testApp.clock.leap({ hours: 24 * 13 })
  await logsIn()
  await timo.isIdle()

  await asks(PASSWORD)
  await timo.sees(timo.heading('Your account will be deleted'))
  await timo.presses('Close')
  testApp.clock.leap({ hours: 24 * 14 })
  // The rows stay until every server process has closed the sockets of the account.
  await until('the end of the account', async () => (await deletionState(id)) === 'erasing')
  testApp.clock.leap({ minutes: 3 })
  await until('the end of the data', async () => (await deletionState(id)) === 'erased')
  await logsIn()
  await timo.sees(page.getByText("That email and password don't match"))
})

async function deletionState(user_id: number): Promise<string | undefined> {
  const row = await testApp.db
    .selectFrom('account_deletions')
    .select('state')
    .where('user_id', '=', user_id)
    .orderBy('asked_at', 'desc')
    .executeTakeFirst()
  return row?.state
}
