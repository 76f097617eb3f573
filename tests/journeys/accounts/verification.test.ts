import type { Server } from 'node:http'
import { after, afterEach, before, test } from 'node:test'
import { equal, ok } from 'node:assert/strict'
import { cameraPhoto, redAndBlue } from '@duet/testkit/uploads.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

/** The picture of a phone takes some seconds. */
const SLOW_BYTES_A_SECOND = 600_000

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

const file = async (name: string) => ({
  name: `${name}.png`,
  mimeType: 'image/png',
  buffer: await redAndBlue(),
})

test('a new girl is verified by a document and a selfie, adds a photo, and may start', async () => {
  const mira = await testApp.enterNew('Mira', 'girl')
  const { page } = mira
  const shoot = async (name: string) => {
    const { SHOTS } = process.env
    if (!SHOTS) return
    await page.screenshot({ path: `${SHOTS}/verify-${name}.png` })
    await page.setViewportSize({ width: 390, height: 844 })
    await page.screenshot({ path: `${SHOTS}/verify-${name}-phone.png` })
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await shoot('studio')
  await page.getByRole('main').getByRole('link', { name: 'Verify to start' }).click()
  await mira.sees(mira.heading('Your document'))
  await shoot('document-empty')
  await page.getByRole('radio', { name: 'Passport' }).click()
  await page.getByRole('combobox', { name: 'Country that issued it' }).click()
  await page.getByRole('option', { name: 'Germany', exact: true }).click()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await file('front'))
  await mira.sees(page.getByRole('img', { name: /Page with your photo/ }))
  await shoot('document')
  await mira.button('Next').click()

  await mira.sees(page.getByText(/^Hold up \d fingers? of your (left|right) hand/))
  await mira.button('Open the camera').click()
  await mira.button('Take a photo').click()
  await mira.sees(page.getByRole('img', { name: /Selfie/ }))
  await shoot('selfie')
  await mira.button('Next').click()
  await page.getByRole('checkbox').click()
  await shoot('check')
  await mira.button('Send for checking').click()
  await mira.sees(page.getByText("We're checking your documents"))
  await shoot('checking')

  const list = async () =>
    (await testApp.duet('verification', 'list')) as { check_id: number; user_id: number }[]
  const [declined] = await list()
  equal(declined!.user_id, mira.user_id)
  await testApp.duet(
    'verification',
    'decline',
    String(declined!.check_id),
    '--reason',
    'unreadable',
  )
  await mira.sees(page.getByText(/The pictures can't be read/))
  await shoot('declined')
  await page.getByRole('radio', { name: 'ID card' }).click()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await file('front'))
  await page
    .locator('input[type=file]')
    .nth(1)
    .setInputFiles(await file('back'))
  await page.getByRole('combobox', { name: 'Country that issued it' }).click()
  await page.getByRole('option', { name: 'Germany', exact: true }).click()
  await mira.button('Next').click()
  // The camera is not the only way.
  await mira.button('Choose a file').click()
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await file('selfie'))
  await mira.button('Next').click()
  await page.getByRole('checkbox').click()
  await mira.button('Send for checking').click()
  await mira.sees(page.getByText("We're checking your documents"))
  const [check] = await list()
  await testApp.duet('verification', 'approve', String(check!.check_id), '--expires', '2040-12-31')
  await mira.sees(page.getByText('Your identity is verified').first())
  await shoot('verified')

  await page.goto(`${testApp.origin}/profile`)
  await mira.button('Add a photo').click()
  const dialog = page.getByRole('dialog', { name: 'Your profile photo' })
  await dialog.locator('input[type=file]').setInputFiles(await file('portrait'))
  await dialog.getByRole('button', { name: 'Use this photo' }).click()
  await mira.sees(page.getByText('Waits for review').first())
  const [photo] = (await testApp.duet('media', 'list')) as { id: string }[]
  await testApp.duet('media', 'approve', photo!.id)
  await page.goto(`${testApp.origin}/`)
  await mira.start_button.click()
  await mira.sees(page.getByText(/Looking for|Waiting|Searching/i).first())
})

test('on a phone with a slow line each document shows its progress, and after a loss only the rest is sent, also from another page', async () => {
  const lena = await testApp.enterNew('Lena', 'girl', 'phone')
  const { page } = lena
  const asked: string[] = []
  page.on('request', (request) => {
    const [, call] = /(upload_passport.*)$/.exec(request.url()) ?? []
    if (call) asked.push(call)
  })
  const photo = { name: 'camera.jpg', mimeType: 'image/jpeg', buffer: await cameraPhoto() }
  const input = page.locator('input[type=file]').first()
  const toStart = page.getByRole('main').getByRole('link', { name: 'Verify to start' })
  await toStart.tap()
  await page.getByRole('radio', { name: 'Passport' }).tap()
  await page.getByRole('combobox', { name: 'Country that issued it' }).tap()
  await page.getByRole('option', { name: 'Germany', exact: true }).tap()
  await input.setInputFiles(photo)
  await lena.button('Next').tap()
  await lena.button('Choose a file').tap()
  await input.setInputFiles(photo)
  await lena.button('Next').tap()
  await page.getByRole('checkbox').tap()
  const devtools = await page.context().newCDPSession(page)
  const setNetwork = (offline: boolean, uploadThroughput = -1) =>
    devtools.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
  await setNetwork(false, SLOW_BYTES_A_SECOND)
  await lena.button('Send for checking').tap()
  const documents = page.getByRole('list', { name: 'Your pictures' })
  await lena.sees(documents.getByText(/^[1-9]\d?% sent$/))
  await lena.sees(documents.getByText('Waits'))
  await lena.sees(documents.getByRole('progressbar', { name: 'Page with your photo: Sent' }))
  await lena.sees(documents.getByRole('progressbar', { name: /^Selfie: [1-9]\d?% sent$/ }))
  await setNetwork(true)
  // DevTools lets a request end that has begun.
  for (const { httpServer } of testApp.running.socket_servers)
    (httpServer as Server).closeAllConnections()
  const { SHOTS } = process.env
  if (SHOTS) await page.screenshot({ path: `${SHOTS}/verify-sending-phone.png` })
  for (const address of [/#selfie$/, /verification\/?$/, /:\d+\/$/]) {
    await page.evaluate(() => history.back())
    await page.waitForURL(address)
  }
  await lena.sees(toStart)
  await setNetwork(false)
  await lena.sees(page.getByText("We're checking your documents"))
  const waiting = (await testApp.duet('verification', 'list')) as { user_id: number }[]
  equal(waiting.filter(({ user_id }) => user_id === lena.user_id).length, 1)
  // The browser repeats a request of its own accord, if it can.
  const pictures = asked.filter((call) => call === 'upload_passport/picture').length
  ok(pictures === 2 || pictures === 3, `the picture that had arrived was not sent again: ${asked}`)
  equal(asked.length, pictures + 1)
})
