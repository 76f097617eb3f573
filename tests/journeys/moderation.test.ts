import { after, afterEach, before, describe, test } from 'node:test'
import { deepEqual, equal } from 'node:assert/strict'
import { type BrowserUser, meet, type Screen } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { until } from '@duet/testkit/browser/until.ts'
import { closedCall, latestCall } from './money/ledger.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({
    search_grace: '0',
    rematch_minutes: '0',
    pair_free_start: '1000',
    free_starts_a_day: '1000',
    paid_after: '600',
  })
})
afterEach(async () => {
  await testApp.empty()
  await testApp.db.deleteFrom('blocks').execute()
})
after(() => testApp.close())

for (const screen of ['desktop', 'phone'] satisfies Screen[]) {
  describe(`decisions about people on a ${screen}`, () => {
    test('a user who is banned in a call sees why in the place of every page, and goes on after the ban', async () => {
      const [sofia, alex] = await Promise.all([
        testApp.enter('Sofia', screen),
        testApp.enter('Alex', screen),
      ])
      await meet(sofia, alex)
      await alex.presses(/^Report$/)
      await alex.sees(alex.page.getByText('Begging for gifts or money'))
      const comment = 'You showed a recording.'
      const line = ['--reason', 'video_material', '--comment', comment]
      await testApp.duet('ban', String(alex.user_id), ...line)
      await alex.sees(alex.heading('Your account is banned'))
      await alex.sees(alex.page.getByText(comment))
      await until('the dialog is gone, and the heading has the focus', async () => {
        const focused = await alex.page.evaluate(() => document.activeElement?.tagName)
        return focused === 'H1' && (await alex.page.getByRole('dialog').count()) === 0
      })
      equal((await closedCall(testApp, alex)).reason, 'banned')
      await sofia.sees(sofia.heading('Alex had to go'))
      await alex.seesNo(alex.page.getByRole('navigation'))
      equal(await alex.hasCamera(), false)
      await alex.page.goto(`${testApp.origin}/messenger/`)
      await alex.sees(alex.heading('Your account is banned'))
      await testApp.duet('unban', String(alex.user_id), '--comment', 'It was live.')
      await alex.sees(alex.page.getByText('Your account is open again'))
      await alex.page.goto(`${testApp.origin}/profile/#decisions`)
      await alex.sees(alex.page.getByText(comment))
    })

    test('a complaint in a call reaches staff with the pictures of both, and the call goes on', async () => {
      const [sofia, alex] = await Promise.all([
        testApp.enter('Sofia', screen),
        testApp.enter('Alex', screen),
      ])
      await meet(sofia, alex)
      await alex.presses(/^Report$/)
      await alex.page.getByText('Begging for gifts or money').click()
      await alex.page.getByLabel('What happened? (optional)').fill('She asks for money')
      await alex.button('Send report').click()
      await alex.sees(alex.heading('Thank you. We have your report'))
      await alex.button('Close').last().click()
      await until('the pictures of both are stored', async () => (await kinds()).length === 3)
      deepEqual(await kinds(), ['accused', 'complainer', 'seen'])
      await alex.seesMovingPicture()
      await alex.presses(/^Report$/)
      await alex.page.getByText('Fraud', { exact: true }).click()
      await alex.button('Send report').click()
      await alex.sees(alex.page.getByText('You have reported this already.'))
      await alex.button('Close').last().click()
      const { session_id } = await latestCall(testApp, alex)
      const waiting = await testApp.db
        .selectFrom('complaints')
        .select('complaint_id')
        .where('session_id', '=', session_id)
        .executeTakeFirstOrThrow()
      const decision = ['--decision', 'ban', '--reason', 'other', '--comment', 'No begging.']
      await testApp.duet('complaints', 'decide', String(waiting.complaint_id), ...decision)
      // The decision shows what it rests on, and nothing of the guy.
      await sofia.sees(sofia.heading('Your account is banned'))
      const evidence = sofia.page.getByRole('region', { name: 'The decision rests on this' })
      await sofia.sees(evidence.getByText(/^In a public chat, /))
      await sofia.button('Show your camera in this chat').click()
      await sofia.sees(evidence.getByRole('img', { name: 'your camera in this chat' }))
      await sofia.seesNo(sofia.page.getByText('Alex'))
      if (process.env.SHOTS)
        await sofia.page.screenshot({ path: `${process.env.SHOTS}/ban-${screen}.png` })
      await testApp.duet('unban', String(sofia.user_id), '--comment', 'over')
    })

    test('a complaint after the call, from the receipt or the history, has the frames of the call', async () => {
      const [sofia, alex] = await Promise.all([
        testApp.enter('Sofia', screen),
        testApp.enter('Alex', screen),
      ])
      await testApp.set({ frame_seconds: '2' })
      await meet(sofia, alex)
      await until('a frame of her camera is stored', async () => (await latestFrames(alex)) > 0)
      await alex.presses('End the call')
      await closedCall(testApp, alex)
      await testApp.set({ frame_seconds: '10' })
      if (screen === 'phone') {
        await alex.page.goto(`${testApp.origin}/history/`)
        await alex.button('More for Sofia').first().click()
      } else {
        await alex.sees(alex.heading('You talked with Sofia'))
        await alex.page.getByRole('main').getByRole('button', { name: 'More' }).click()
      }
      await alex.page.getByRole('menuitem', { name: 'Report' }).click()
      await alex.page.getByText('Begging for gifts or money').click()
      await alex.button('Send report').click()
      await alex.sees(alex.heading('Thank you. We have your report'))
      // Staff see the frames of the call that the complaint names.
      const waiting = (await testApp.duet('complaints', 'list')) as { session_id: number }[]
      const { session_id } = await latestCall(testApp, alex)
      equal(waiting.filter((complaint) => complaint.session_id === session_id).length, 1)
      equal((await latestFrames(alex)) > 0, true)
    })

    test('the panic key ends the call at once, blocks and seals, and the operator sees the case first', async () => {
      const [sofia, alex] = await Promise.all([
        testApp.enter('Sofia', screen),
        testApp.enter('Alex', screen),
      ])
      await meet(sofia, alex)
      if (screen === 'desktop') await sofia.page.keyboard.press('Shift+!')
      else await sofia.presses('Panic: end, block and report')
      await sofia.sees(sofia.page.getByText('Alex is blocked'))
      await alex.sees(alex.heading('Sofia had to go'))
      equal((await closedCall(testApp, alex)).reason, 'complaint')
      await until('the evidence is sealed', async () => (await kinds()).length === 4)
      deepEqual(await kinds(), ['accused', 'complainer', 'record', 'seen'])
      await caseStandsFirst()
      await sofia.button(/^(Leave the studio|Not now)$/).click()
      await sofia.isIdle()
    })
  })
}

/** How many frames of his latest call are stored. */
async function latestFrames(he: BrowserUser): Promise<number> {
  const { session_id } = await latestCall(testApp, he)
  const frames = testApp.db.selectFrom('call_frames').where('session_id', '=', session_id)
  return (await frames.select('frame_id').execute()).length
}

/** The kinds of evidence of the last complaint. */
async function kinds(): Promise<string[]> {
  const rows = await testApp.db
    .selectFrom('evidence_files')
    .select('kind')
    .where('complaint_id', '=', (from) =>
      from.selectFrom('complaints').select(({ fn }) => fn.max('complaint_id').as('last')),
    )
    .orderBy('kind')
    .execute()
  return rows.map(({ kind }) => kind)
}

/** The operator sees the case of the panic key before older complaints, with whole files. */
async function caseStandsFirst(): Promise<void> {
  const waiting = (await testApp.duet('complaints', 'list')) as {
    complaint_id: number
    is_panic: boolean
  }[]
  const [first, ...others] = waiting
  equal(first?.is_panic, true)
  equal(
    others.some(({ is_panic }) => !is_panic),
    true,
  )
  const id = String(first?.complaint_id)
  const { files } = (await testApp.duet('seal', 'show', id, '--as', 'olga')) as {
    files: { is_whole: boolean }[]
  }
  deepEqual(
    files.map(({ is_whole }) => is_whole),
    [true, true, true, true],
  )
}
