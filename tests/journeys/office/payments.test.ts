import { after, before, test } from 'node:test'
import { deepEqual, equal, match } from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { barriers, enterOffice, shot } from './in-office.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp({}, {}, { shop: true })
})
after(() => testApp.close())

/** The guy begins to pay for fifteen minutes in the shop; the provider then reports one cent. */
async function paysOneCent(guy: BrowserUser): Promise<void> {
  await guy.page
    .getByRole('button', { name: /Add minutes/ })
    .first()
    .click()
  const dialog = guy.page.getByRole('dialog')
  await dialog.getByRole('radio', { name: /^15/ }).check({ force: true })
  const opened = guy.page.context().waitForEvent('page')
  await dialog.getByRole('button', { name: /^Pay (?!with)/ }).click()
  const tab = await opened
  await tab.getByRole('button', { name: 'Pay' }).waitFor()
  const { id } = testApp.standIn!.payments().at(-1)!
  deepEqual(await testApp.standIn!.play(id, { type: 'paid', amount: 1n }), [200])
  await tab.close()
}

test('a payment of a wrong amount comes to the office, where the owner credits it', async () => {
  const emil = await testApp.enterNew('Emil', 'guy')
  await paysOneCent(emil)
  const owner = await enterOffice(testApp, 'Owner')
  await owner.page.getByRole('link', { name: /^Payments\s*1$/ }).click()
  await owner.page.locator('[data-case]').first().click()
  await owner.sees(owner.page.getByRole('heading', { name: /Another amount came in/ }))
  await owner.sees(owner.page.getByText('Paid 0.01 USD'))
  await owner.sees(owner.page.getByText('15 minutes for 14.99 USD'))
  await owner.sees(owner.page.getByText(/signature=\*\*\*/))
  await shot(owner, 'payment')
  deepEqual(await barriers(owner.page), [])
  const waiting = await downloadEvidence(owner)
  deepEqual([waiting.order.state, waiting.receipt], ['quarantined', null])
  match(waiting.callbacks[0]!.query, /priceAmount=0\.01&.*signature=\*\*\*/)
  await owner.button('Ask the provider').click()
  await owner.sees(owner.page.getByText(/^The provider says: /))
  await owner.page.getByRole('main').focus()
  await owner.page.keyboard.press('1')
  await owner.page.getByRole('textbox', { name: 'Reason' }).fill('The bank confirmed the rest.')
  await owner.page.keyboard.press('Control+Enter')
  await owner.sees(owner.page.getByText('0 waiting'))
  await emil.sees(emil.page.getByText('15', { exact: true }))
  await owner.page.goto(`${testApp.origin}/office/users/${emil.user_id}/money`)
  await owner.page
    .getByRole('button', { name: /^Order / })
    .first()
    .click()
  await owner.sees(owner.page.getByRole('dialog').getByText('14.99 USD'))
  await shot(owner, 'order')
  deepEqual(await barriers(owner.page), [])
  const credited = await downloadEvidence(owner)
  equal(credited.use['transfers']?.length, 1)
  equal(
    credited.receipt?.lines.some((line) => line.includes('14.99 USD')),
    true,
  )
})

interface DownloadedPack {
  readonly order: { readonly state: string }
  readonly receipt: { readonly lines: readonly (readonly string[])[] } | null
  readonly callbacks: readonly { readonly query: string }[]
  readonly use: Readonly<Record<string, readonly unknown[]>>
}

async function downloadEvidence(owner: BrowserUser): Promise<DownloadedPack> {
  const download = owner.page.waitForEvent('download')
  await owner.button('Evidence pack').click()
  const file = await download
  match(file.suggestedFilename(), /^evidence-\d+\.json$/)
  return JSON.parse(readFileSync(await file.path(), 'utf8')) as DownloadedPack
}

for (const screen of ['desktop', 'phone'] as const)
  test(`the owner previews the form of a method on a ${screen}`, async () => {
    const owner = await enterOffice(testApp, 'Owner', screen)
    await owner.page.keyboard.press('Control+k')
    await owner.page.getByRole('dialog').getByRole('combobox').fill('payment meth')
    await owner.sees(owner.page.getByRole('option', { name: /Payment methods/ }))
    await owner.page.keyboard.press('Enter')
    await owner.sees(owner.page.getByText('duet giftcards create'))
    await shot(owner, `methods-${screen}`)
    deepEqual(await barriers(owner.page), [])
    await owner.button('Form of prime').click()
    const dialog = owner.page.getByRole('dialog')
    await owner.sees(dialog.getByText(/:D-EXAMPLE-1001:14\.99:USD:\{secret_1\}$/))
    await shot(owner, `method-${screen}`)
    deepEqual(await barriers(owner.page), [])
    await dialog.getByLabel('Form as JSON').fill('{"url":"{base_url}/pay"}')
    // The preview of the former text is not shown beside the new one.
    await dialog.getByText(/D-EXAMPLE-1001/).waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await owner.sees(dialog.getByText(/^fields: /))
    await shot(owner, `method-mistakes-${screen}`)
    await owner.page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await owner.button('Form of prime').click()
    await owner.sees(dialog.getByText(/:D-EXAMPLE-1001:14\.99:USD:\{secret_1\}$/))
  })

test('on a phone a refused callback is read and settled', async () => {
  const notify = `${testApp.origin}/api/payment/notify/verotel`
  equal((await fetch(`${notify}?saleID=7&token=abc&signature=xyz`)).status, 400)
  const uwe = await testApp.enterNew('Uwe', 'guy')
  await paysOneCent(uwe)
  const { reference } = testApp.standIn!.payments().at(-1)!
  const other = await testApp.enterNew('Otto', 'guy')
  await paysOneCent(other)
  const { id } = testApp.standIn!.payments().at(-1)!
  await testApp.standIn!.play(id, { type: 'paid', reference: `${reference}X` })
  const owner = await enterOffice(testApp, 'Owner', 'phone')
  await owner.page.goto(`${testApp.origin}/office/callbacks`)
  await owner.page
    .getByRole('button', { name: /^Open callback/ })
    .first()
    .click()
  await owner.sees(owner.page.getByRole('dialog').getByText(/No such order/))
  await shot(owner, 'callback-phone')
  await owner.page.getByLabel('Reason').fill('Given back at the provider.')
  await owner.page.getByRole('button', { name: 'Settle' }).click()
  await owner.page.getByRole('dialog').waitFor({ state: 'hidden' })
  // The list of those that wait is shown first.
  await owner.sees(owner.page.getByText('No such callbacks'))
  await owner.page.goto(`${testApp.origin}/office/callbacks?verdict=refused`)
  await owner.sees(owner.page.getByText('Settled').last())
  await shot(owner, 'callbacks-phone')
  await owner.page.goto(`${testApp.origin}/office/callbacks?verdict=unverified`)
  await owner.page
    .getByRole('button', { name: /^Open callback/ })
    .first()
    .click()
  await owner.sees(owner.page.getByText('saleID=7&token=***&signature=***'))
  deepEqual(await barriers(owner.page), [])
})
