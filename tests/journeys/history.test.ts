import { after, afterEach, before, test } from 'node:test'
import { equal } from 'node:assert/strict'
import type { Locator } from 'playwright-core'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { until } from '@duet/testkit/browser/until.ts'
import { latestCall } from './money/ledger.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

const GONE = "You can't reach them any more"

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

test('a girl invites a guest from her list, both find the call in their history, and a block takes each other away', async () => {
  const [greta, henry] = await Promise.all([
    testApp.enterNew('Greta', 'girl', 'phone', '--verified', '--avatar', 'demo'),
    testApp.enterNew('Henry', 'guy'),
  ])
  await testApp.duet('grant', String(henry.user_id), '30', 'diamond', '--reason', 'journey')
  await testApp.duet('premium', String(henry.user_id), '--days', '30')
  await greta.page.getByRole('link', { name: 'Guests' }).click()
  const card = greta.page.getByRole('listitem').filter({ hasText: 'Henry' })
  await greta.sees(card.getByText('Premium'))
  await greta.shot('boys-phone')
  await card.getByRole('button', { name: 'Invite Henry to a call' }).click()
  await greta.shot('boys-invited')
  await henry.page.getByRole('alertdialog', { name: /^Greta.* is calling you$/ }).waitFor()
  await henry.button(/^Accept/).click()
  await Promise.all([greta.isInCallWith('Henry'), henry.isInCallWith('Greta')])
  await henry.meterIs('paid')
  await until('a paid second', async () => (await latestCall(testApp, henry)).paid_seconds > 0)
  await henry.presses('End the call')
  await henry.sees(henry.heading('You talked with Greta'))

  // The guy finds the call with its receipt.
  await henry.page.goto(`${testApp.origin}/history/`)
  const his = row(henry, 'Greta')
  await henry.sees(his.getByText('Private'))
  await his.getByRole('button', { name: /^Greta/ }).click()
  await henry.sees(his.getByText('Paid time'))
  await henry.shot('history-guy')
  await shotInArabic(henry, '/history/', 'history-arabic')

  // The girl writes to him from her history, and then blocks him there.
  await greta.page.goto(`${testApp.origin}/profile/`)
  await greta.page.getByRole('link', { name: 'History' }).click()
  const hers = row(greta, 'Henry')
  await greta.sees(hers.getByRole('button', { name: /Call Henry/ }))
  await greta.shot('history-phone')
  const write = hers.getByRole('button', { name: 'Write to Henry' })
  await swipe(greta, hers)
  await until('the swiped actions', () => isInView(write))
  await greta.shot('history-swiped-phone')
  await greta.page.reload()
  await hers.getByRole('button', { name: 'More for Henry' }).focus()
  await greta.page.keyboard.press('Tab')
  await until('the actions with the focus', () => isInView(write))
  await hers.getByRole('button', { name: 'More for Henry' }).click()
  await greta.page.getByRole('menuitem', { name: 'Write to Henry' }).click()
  await greta.page.waitForURL(/\/messenger\/\d+/)
  await greta.sees(greta.page.getByRole('textbox', { name: 'Write to Henry' }))
  await greta.page.goto(`${testApp.origin}/history/`)
  await hers.getByRole('button', { name: 'More for Henry' }).click()
  await greta.shot('history-menu-phone')
  await greta.page.getByRole('menuitem', { name: 'Block' }).click()
  await greta.page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Block/ })
    .click()
  await hers.waitFor({ state: 'hidden' })
  const gone = row(greta, GONE)
  await greta.sees(gone)
  equal(await gone.getByRole('button', { name: /^(Call|Write)/ }).count(), 0)
  await gone.getByRole('button', { name: /^More/ }).click()
  await greta.sees(greta.page.getByRole('menuitem', { name: 'Report' }))
  await greta.page.keyboard.press('Escape')
  await greta.page.goto(`${testApp.origin}/girls/`)
  await greta.sees(greta.page.getByText('No guests here right now'))

  await henry.reloads()
  await henry.sees(row(henry, GONE))
  await henry.shot('history-gone')
  await henry.button('Clear').click()
  await greta.shot('boys-invited')
  await henry.page.getByRole('alertdialog').getByRole('button', { name: 'Clear' }).click()
  await henry.sees(henry.page.getByText('No chats yet'))
  await henry.shot('history-empty')
})

const row = ({ page }: BrowserUser, name: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: name })

async function shotInArabic(user: BrowserUser, path: string, name: string): Promise<void> {
  if (!process.env.SHOTS) return
  await user.page.goto(`${testApp.origin}/ar${path}`)
  await row(user, 'Greta').waitFor()
  await user.shot(name)
  await user.page.goto(`${testApp.origin}${path}`)
}

/** A finger from the end of an element to its start. */
async function swipe({ page }: BrowserUser, target: Locator): Promise<void> {
  const { x, y, width, height } = (await target.boundingBox())!
  const touch = await page.context().newCDPSession(page)
  const finger = (share: number) => [{ x: x + width * share, y: y + height / 2 }]
  const send = (
    type: 'touchStart' | 'touchMove' | 'touchEnd',
    touchPoints: { x: number; y: number }[],
  ) => touch.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', finger(0.8))
  for (const share of [0.7, 0.6, 0.5, 0.4, 0.3, 0.2]) await send('touchMove', finger(share))
  await send('touchEnd', [])
}

const isInView = (target: Locator) =>
  target.evaluate((element) => element.getBoundingClientRect().right <= innerWidth)
