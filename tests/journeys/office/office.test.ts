import { after, afterEach, before, test } from 'node:test'
import { deepEqual, equal, ok } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { pictureBytes } from '@duet/testkit/uploads.ts'
import { codeAt } from '@duet/testkit/test-staff.ts'
import { meet } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'
import { barriers, enterOffice, setUpMember, shot } from './in-office.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({ search_grace: '0', rematch_minutes: '0' })
})
afterEach(() => testApp.empty())
after(() => testApp.close())

test('a person of staff sets up the sign-in by the link, leaves, and comes back with both factors', async () => {
  const { member: dana, secret, password } = await setUpMember(testApp, 'owner')
  await dana.button('Sign out').click()
  await dana.sees(dana.heading('Sign in'))
  testApp.clock.leap({ seconds: 60 })
  await dana.page.getByLabel('Email').fill('dana@duet.example')
  await dana.page.getByLabel('Password', { exact: true }).fill(password)
  await dana.button('Sign in').click()
  await dana.page.getByLabel('One-time code').fill(codeAt(secret, testApp.clock.now()))
  await dana.button('Sign in').click()
  await dana.sees(dana.heading('Complaints'))
  await dana.page.getByRole('link', { name: 'Staff' }).click()
  await dana.page.getByLabel('Email').fill('emil@duet.example')
  await dana.button('Invite').click()
  await dana.sees(dana.page.getByText('A change needs its reason'))
  await dana.page.getByLabel('Reason').fill('Emil joins the team.')
  await dana.button('Invite').click()
  await dana.sees(dana.page.getByText(/office\/setup\/#/))
  await shot(dana, 'office-staff')
  await dana.page.getByRole('link', { name: 'Your devices' }).click()
  await dana.sees(dana.page.getByRole('switch', { name: 'Alarms on this device' }))
  equal((await barriers(dana.page)).join('\n'), '')
  await shot(dana, 'office-devices')
  const worker = await dana.page.evaluate(async () =>
    fetch('/office/push-worker.js').then((answer) => answer.headers.get('content-type')),
  )
  ok(worker?.includes('javascript'), String(worker))
})

/** The complaints of an hour, the longest wait first: the reason, the accused, and the keys of the decision. */
const HOUR = [
  ['dislike', 'Mira', '1'],
  ['spam', 'Lena', '2'],
  ['nudity', 'Yuki', '2'],
  ['gift_begging', 'Amara', '3'],
  ['fraud', 'Omar', '4'],
  ['recording', 'Noor', '1'],
  ['impersonation', 'Tom', '4', 'm', 'ArrowDown'],
  ['threats', 'Inés', '4'],
  ['dislike', 'Clara', '1'],
  ['inappropriate', 'Vera', '2', 'h'],
  ['spam', 'Zoe', '1'],
] as const

const DECIDED = [
  'Mira: no_violation',
  'Lena: warning, contacts',
  'Yuki: warning, nudity_public',
  'Amara: penalty, asking_money',
  'Omar: ban, asking_money, 24 h',
  'Noor: no_violation',
  'Tom: ban, multiple_accounts, 72 h',
  'Inés: ban, harassment, 24 h',
  'Clara: no_violation',
  'Vera: warning, harassment',
  'Zoe: no_violation',
  'Sofia: ban, harassment, 72 h',
]

async function decisions(): Promise<string[]> {
  const { rows } = await sql<{ says: string }>`
    select concat_ws(', ', nick || ': ' || decision, acts.reason,
      round(extract(epoch from acts.until - decided_at) / 3600) || ' h') as says
    from complaints join users on users.id = accused_id
      left join lateral (select statements.reason, until from statements
        where user_id = accused_id and kind = decision order by statement_id desc limit 1) acts on true
    where decided_at is not null order by complaints.at`.execute(testApp.db)
  return rows.map(({ says }) => says)
}

test('a moderator decides an hour of complaints with four keys each, and both sides hear of it', async () => {
  const [sofia, alex] = await Promise.all([
    testApp.enter('Sofia', 'desktop'),
    testApp.enter('Alex', 'desktop'),
  ])
  await meet(sofia, alex)
  await alex.presses(/^Report$/)
  await alex.page.getByText('Begging for gifts or money').click()
  await alex.page.getByLabel('What happened? (optional)').fill('She asks for money')
  await alex.button('Send report').click()
  await alex.sees(alex.heading('Thank you. We have your report'))
  await alex.button('Close').last().click()
  await sql`insert into complaints (complainer_id, accused_id, reason, comment, day, at)
    select ${alex.user_id}, users.id, hour.reason, 'About ' || nick, date '2020-01-01',
      now() - (60 - n) * interval '1 minute'
    from unnest(${HOUR.map(([reason]) => reason)}::text[], ${HOUR.map(([, nick]) => nick)}::text[])
      with ordinality as hour (reason, accused, n)
      join users on nick = hour.accused`.execute(testApp.db)
  const dana = await enterOffice(testApp, 'Moderator')
  await dana.sees(dana.page.getByText('12 waiting'))
  // Every key counts, Control too.
  let presses = 0
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      presses += key.split('+').length
      await dana.page.keyboard.press(key)
    }
  }
  await press('Enter')
  for (const [, nick, ...keys] of HOUR) {
    await dana.sees(dana.page.getByText(`The reporter says: About ${nick}`, { exact: true }))
    await press(...keys, 'Control+Enter')
  }
  await dana.sees(dana.page.getByText('She asks for money'))
  await until(
    'the frames are shown',
    async () => (await dana.page.locator('img.veiled').count()) > 0,
  )
  await until('every frame has come', () =>
    dana.page
      .locator('img.veiled')
      .evaluateAll((all) => all.every((each) => (each as HTMLImageElement).naturalWidth > 0)),
  )
  await dana.sees(dana.page.getByText('Complaints about this person'))
  const timeline = dana.page.getByRole('region', { name: 'Timeline' })
  await dana.sees(timeline.getByText('reports', { exact: true }))
  await shot(dana, 'office-complaint')
  await press(' ')
  await dana.seesNo(dana.page.locator('img.veiled'))
  await press('2', 'Control+Enter')
  await dana.sees(dana.page.getByText(/^Warning: sent in/))
  await press('u')
  await dana.sees(dana.page.getByText('1 waiting'))
  await press('Enter')
  await dana.sees(dana.page.getByRole('radio', { name: 'Warning', checked: true }))
  await press('4', 'h', 'ArrowDown')
  await shot(dana, 'office-complaint-ban')
  await press('Control+Enter')
  await sofia.sees(sofia.heading('Your account is banned'))
  await alex.sees(alex.heading('Sofia had to go'))
  await until('everything is decided', async () => (await decisions()).length === DECIDED.length)
  deepEqual(await decisions(), DECIDED)
  ok(presses <= 4 * DECIDED.length, `${presses} presses for ${DECIDED.length} complaints`)
  await dana.sees(dana.page.getByText('Nothing waits'))
  // She appeals on the only page that is open to her, and another person opens her account again.
  await sofia.button('Appeal').click()
  await sofia.page.getByLabel('Why is the decision wrong?').fill('I asked for nothing.')
  await shot(sofia, 'ban-appeal')
  await sofia.button('Send the appeal').click()
  await sofia.sees(sofia.page.getByText('Your appeal waits for an answer.'))
  const owner = await enterOffice(testApp, 'Owner')
  await owner.page.getByRole('link', { name: 'Appeals' }).click()
  await owner.page.getByRole('button', { name: /^Sofia/ }).click()
  await owner.sees(owner.page.getByText('I asked for nothing.'))
  await owner.sees(owner.heading(/^Complaint \d+$/))
  await owner.sees(owner.page.locator('img.veiled').first())
  equal((await barriers(owner.page)).join('\n'), '')
  await shot(owner, 'office-appeal-evidence')
  await owner.page.keyboard.press('1')
  await owner.page.getByLabel('Answer to the user').fill('You are right.')
  await owner.page.keyboard.press('Control+Enter')
  await sofia.sees(sofia.page.getByText('Your account is open again'))
})

test('an owner searches and verifies the audit log, and allows a stopped person more', async () => {
  await testApp.duet('settings', 'set', 'bulk_money_acts_max', '1', '--as', 'petra')
  await testApp.duet('giftcards', 'create', '--count', '1', '--minutes', '5', '--as', 'olga')
  const owner = await enterOffice(testApp, 'Owner')
  const link = (name: string) => owner.page.getByRole('link', { name })
  const cell = (name: string) => owner.page.getByRole('cell', { name, exact: true })
  await link('Audit log').click()
  await owner.sees(cell('Changed a setting'))
  await owner.page.getByLabel('Name at the shell').fill('olga')
  await owner.sees(cell('Stopped for acts at once'))
  await owner.sees(cell('Created gift cards'))
  await until('others are gone', async () => (await cell('Changed a setting').count()) === 0)
  await owner.button('Verify').click()
  await owner.sees(owner.page.getByText(/entries are unchanged/))
  await owner.page.getByLabel('Hash noted earlier (optional)').fill('f'.repeat(64))
  await owner.button('Verify').click()
  await owner.sees(owner.page.getByText(/The noted hash is not in the log/))
  const download = owner.page.waitForEvent('download')
  await link('Export').click()
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trimEnd()
    .split('\n')
  ok(lines.some((line) => line.includes('"act":"gift_cards_create"')))
  await shot(owner, 'office-audit')
  await link('Stopped acts').click()
  await owner.page.getByLabel('Reason').fill('cards for a campaign')
  await shot(owner, 'office-stopped')
  await owner.button('Allow more').click()
  await owner.sees(owner.page.getByText('No member of staff is stopped'))
  await testApp.duet('settings', 'set', 'bulk_money_acts_max', '50', '--as', 'petra')
  await testApp.duet('giftcards', 'create', '--count', '1', '--minutes', '5', '--as', 'olga')
})

async function sendForm(path: string, form: object): Promise<void> {
  const answer = await fetch(`${testApp.origin}/api/reports/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'client-version': '2.0.0' },
    body: JSON.stringify({ contact: 'vera@duet.example', ...form }),
  })
  equal(answer.status, 200, await answer.text())
}

test('public reports are answered from their queue, letters of authorities by the owner only', async () => {
  const [first, second] = ['a'.repeat(43), 'b'.repeat(43)]
  await sendForm('content', {
    secret: first,
    where: 'Mila',
    reason: 'impersonation',
    text: 'This is my face.',
  })
  await sendForm('authority', {
    secret: second,
    authority: 'Court',
    officer: 'A. Berzins',
    request: 'order',
    reference: '',
    text: 'Close the account.',
  })
  const dana = await enterOffice(testApp, 'Moderator')
  await dana.page.getByRole('link', { name: 'Public reports' }).click()
  await dana.sees(dana.page.getByText('1 waiting'))
  await dana.page.keyboard.press('Enter')
  await dana.sees(dana.page.getByText('This is my face.'))
  await dana.page.keyboard.press('1')
  await shot(dana, 'office-report')
  await dana.page.keyboard.press('Control+Enter')
  await dana.sees(dana.page.getByText(/^Uphold: sent in/))
  // Leaving the queue sends what waits.
  await dana.page.keyboard.press('Control+k')
  await dana.page.getByLabel('Page, act, person, case or order').fill('pho')
  await dana.page.keyboard.press('Enter')
  await dana.sees(dana.page.getByRole('heading', { name: 'Photos' }))
  await until('the report is upheld', async () => {
    const { rows } = await sql<{ decision: string | null }>`
      select decision from reports where kind = 'content'`.execute(testApp.db)
    return rows[0]!.decision === 'upheld'
  })
  const owner = await enterOffice(testApp, 'Owner')
  await owner.page.getByRole('link', { name: 'Public reports' }).click()
  await owner.page.getByText('Letter of an authority').click()
  await owner.sees(owner.page.getByText('Close the account.'))
  await owner.page.getByText('Numbers of a month').click()
  await owner.sees(owner.page.getByRole('row', { name: /^Letter of an authority 1/ }))
  await shot(owner, 'office-numbers')
  equal((await barriers(owner.page)).join('\n'), '')
})

test('the pages of the office have no barriers, on a phone too', async () => {
  for (const screen of ['desktop', 'phone'] as const) {
    const owner = await enterOffice(testApp, 'Owner', screen)
    for (const path of [
      'complaints',
      'appeals',
      'wall',
      'photos',
      'masked',
      'findings',
      'verifications',
      'users',
      'sanctions',
      'stopped',
      'reports',
      'sealed',
      'staff',
      'audit',
      'devices',
    ]) {
      await owner.page.goto(`${testApp.origin}/office/${path}`)
      await owner.sees(owner.page.getByRole('heading', { level: 1 }))
      const found = await barriers(owner.page)
      equal(found.join('\n'), '', `${path} on a ${screen}`)
      const width = await owner.page.evaluate(() => document.documentElement.scrollWidth)
      ok(width <= (screen === 'phone' ? 390 : 1440), `${path} is ${width} px wide`)
      await shot(owner, `office-${path}-${screen}`)
    }
  }
})

test('a girl reads her penalty, appeals, and another person takes it back', async () => {
  const sofia = await testApp.enter('Sofia', 'phone')
  await testApp.duet('grant', String(sofia.user_id), '3000', 'coin', '--reason', 'a journey')
  const moderator = await enterOffice(testApp, 'Moderator')
  await moderator.page.getByRole('link', { name: 'Bans and penalties' }).click()
  await moderator.button('New act').click()
  const dialog = moderator.page.getByRole('dialog')
  const choose = async (field: string, option: string) => {
    await dialog.getByLabel(field).click()
    await moderator.page.getByRole('option', { name: option, exact: true }).click()
  }
  await dialog.getByLabel('User id').fill(String(sofia.user_id))
  await choose('Kind', 'Penalty')
  await choose('Reason', 'Exchanging contacts')
  await choose('Place', 'Messenger')
  await dialog.getByLabel('Coins').fill('1200')
  const buffer = await pictureBytes(60, 40, { format: 'png' })
  const file = { name: 'her-number.png', mimeType: 'image/png', buffer }
  await dialog.getByLabel('Screenshot (optional)').setInputFiles(file)
  await moderator.sees(dialog.getByText('her-number.png'))
  await dialog.getByLabel('This person will read').fill('She gave her number.')
  equal((await barriers(moderator.page)).join('\n'), '')
  await shot(moderator, 'office-penalty')
  await dialog.getByRole('button', { name: 'Take the coins' }).click()
  await moderator.sees(moderator.page.getByText(/^Penalty: sent in/))
  await sofia.sees(sofia.heading('You got a penalty'))
  await sofia.sees(sofia.page.getByText('In the messenger: exchanging contacts'))
  await sofia.sees(sofia.page.getByText('She gave her number.'))
  await sofia.button('Show the screenshot of our staff').click()
  const screenshot = sofia.page.getByRole('img', { name: 'the screenshot of our staff' })
  await until('she sees the screenshot', async () =>
    screenshot.evaluate((image) => (image as HTMLImageElement).naturalWidth === 60),
  )
  await shot(sofia, 'penalty-received')
  // She leaves without a confirmation, and the list of the decisions says so.
  await sofia.page.goto(`${testApp.origin}/profile/#decisions`)
  await sofia.sees(sofia.page.getByText('You have a new penalty.'))
  await sofia.button('Mark all as read').click()
  await sofia.seesNo(sofia.page.getByText('You have a new penalty.'))
  await sofia.button('Appeal').click()
  await sofia.page.getByLabel('Why is the decision wrong?').fill('It was the number of my cat.')
  await sofia.button('Send the appeal').click()
  await sofia.sees(sofia.page.getByText('Your appeal waits for an answer.'))
  await shot(sofia, 'penalty-appeal')
  const owner = await enterOffice(testApp, 'Owner')
  await owner.page.getByRole('link', { name: 'Appeals' }).click()
  await owner.page.getByRole('button', { name: /^Sofia/ }).click()
  await owner.sees(owner.page.getByText('It was the number of my cat.'))
  const evidence = owner.page.getByRole('img', { name: /screenshot of the penalty/ })
  await until('the owner sees the screenshot', () =>
    evidence.evaluate((image) => (image as HTMLImageElement).naturalWidth > 0),
  )
  equal((await barriers(owner.page)).join('\n'), '')
  await owner.page.keyboard.press('1')
  await owner.page.getByLabel('Answer to the user').fill('You are right.')
  await shot(owner, 'office-appeal')
  await owner.page.keyboard.press('Control+Enter')
  await owner.sees(owner.page.getByText(/sent in/))
  await until('the appeal is decided', async () => {
    const { rows } = await sql`select 1 from appeals where state = 'waiting'`.execute(testApp.db)
    return rows.length === 0
  })
  await sofia.page.reload()
  await sofia.sees(sofia.page.getByText('Your appeal was successful: You are right.'))
})

test('a woman may not accept gifts, reads why, and a manager permits them again', async () => {
  const sofia = await testApp.enter('Sofia')
  const owner = await enterOffice(testApp, 'Owner')
  await owner.page.goto(`${testApp.origin}/office/users/${sofia.user_id}`)
  await owner.button('New act').click()
  const dialog = owner.page.getByRole('dialog')
  await dialog.getByLabel('Kind').click()
  await owner.page.getByRole('option', { name: 'Gifts forbidden' }).click()
  await dialog.getByLabel('This person will read').fill('You asked for gifts.')
  await dialog.getByRole('button', { name: 'Forbid gifts', exact: true }).click()
  await owner.sees(owner.page.getByText('May not accept gifts'))
  await sofia.sees(sofia.heading('You may not accept gifts'))
  await sofia.sees(sofia.page.getByText('You asked for gifts.'))
  await sofia.button('I have read it').click()
  await sofia.page.goto(`${testApp.origin}/gifts/`)
  await sofia.page.getByRole('link', { name: 'Read why, and appeal' }).click()
  await sofia.sees(sofia.page.getByText('You asked for gifts.'))
  await owner.page.getByRole('link', { name: 'Bans and penalties' }).first().click()
  const row = owner.page.getByRole('row', { name: /You asked for gifts/ })
  await row.getByRole('button', { name: 'Take back' }).click()
  await owner.page.getByRole('dialog').getByLabel('Reason').fill('The wrong person.')
  await owner.page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
  await owner.sees(row.getByText(/^Lifted by/))
})
