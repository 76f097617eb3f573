import { after, afterEach, before, test } from 'node:test'
import { equal, notEqual, ok } from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { cameraPhoto, dominantColour, redAndBlue } from '@duet/testkit/uploads.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp()
})
afterEach(() => testApp.empty())
after(() => testApp.close())

const wideFile = async () => ({
  name: 'wide.png',
  mimeType: 'image/png',
  buffer: await redAndBlue(),
})

test('a new girl cuts her photo and sends it, and others see it after the review', async () => {
  const nora = await testApp.enterNew('Nora', 'girl')
  const { page } = nora
  await page.goto(`${testApp.origin}/profile`)
  await nora.button('Add a photo').click()
  const dialog = page.getByRole('dialog', { name: 'Your profile photo' })
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('no picture'),
  })
  await nora.sees(dialog.getByText('Use a jpg or png.').first())
  await dialog.locator('input[type=file]').setInputFiles(await wideFile())

  const area = dialog.getByRole('application', { name: /Move the photo/ })
  await nora.sees(area)
  const box = (await area.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 3, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  await page.mouse.wheel(0, -400)
  await area.press('ArrowLeft')
  await area.press('+')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/media-crop.png` })
  await dialog.getByRole('button', { name: 'Use this photo' }).click()
  await nora.sees(page.getByText('Waits for review').first())

  const [waiting] = (await testApp.duet('media', 'list')) as { id: string; owner_id: number }[]
  equal(waiting?.owner_id, nora.user_id)
  await testApp.duet('media', 'approve', waiting.id)
  await nora.sees(page.getByText('Visible', { exact: true }))
  const picture = await page
    .locator('#main img, main img')
    .first()
    .evaluate(async (image: HTMLImageElement) => {
      const bytes = new Uint8Array(await (await fetch(image.src)).arrayBuffer())
      return [...bytes]
    })
  const dominant = await dominantColour(Uint8Array.from(picture))
  ok(
    dominant.r > 150 && dominant.b < 100,
    `the cut shows the start of the picture, red: ${JSON.stringify(dominant)}`,
  )

  await nora.button('Delete').first().click()
  // The press waits until the countdown enables the button.
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await nora.sees(nora.button('Add a photo'))
})

test('photos are added, shown large, reserved for Premium and deleted on a phone', async () => {
  const mila = await testApp.enterNew('Mila', 'girl', 'phone')
  const { page } = mila
  await page.goto(`${testApp.origin}/profile`)
  const photos = page.getByText('Photos', { exact: true }).first()
  await mila.sees(photos)
  await photos.click()
  await page.locator('input[type=file][accept*=webp]').setInputFiles([await wideFile()])
  const view = page.getByRole('button', { name: 'View Item 1' })
  await mila.sees(view)
  await view.click()
  await mila.sees(page.getByRole('dialog', { name: '1 of 1' }))
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit Item 1' }).click()
  await page.getByLabel('Title').fill('At the lake')
  await page.getByRole('switch', { name: /Only for Premium/ }).click()
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/media-item-phone.png` })
  await mila.button('Save').click()
  await mila.sees(page.getByRole('button', { name: 'View At the lake' }))
  await mila.sees(page.getByText('Premium', { exact: true }))
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/media-photos-phone.png` })
  await page.getByRole('button', { name: 'Edit At the lake' }).click()
  await mila.button('Delete').click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  await mila.sees(page.getByText('No photos yet'))
})

test('on a phone a finger cuts the photo of a camera in a sheet that stays in its place', async () => {
  const tara = await testApp.enterNew('Tara', 'girl', 'phone')
  const { page } = tara
  await page.goto(`${testApp.origin}/profile/#avatar`)
  await tara.button('Add a photo').click()
  const sheet = page.getByRole('dialog', { name: 'Your profile photo' })
  const photo = { name: 'camera.jpg', mimeType: 'image/jpeg', buffer: await cameraPhoto() }
  ok(photo.buffer.length > 2 * 1024 * 1024)
  await sheet.locator('input[type=file]').setInputFiles(photo)
  const area = sheet.getByRole('application', { name: /Move the photo/ })
  await tara.sees(area)
  await settled(sheet)
  const top = (await sheet.boundingBox())!.y
  const cut = () => area.locator('img').getAttribute('style')
  const before = await cut()
  await finger(page, area, 300, async () => equal((await sheet.boundingBox())!.y, top))
  notEqual(await cut(), before)
  if (process.env.SHOTS)
    await page.screenshot({ path: `${process.env.SHOTS}/media-crop-phone.png` })
  // The title moves the sheet, as far as the finger moves.
  await finger(page, sheet.getByRole('heading'), 60, async () => {
    const way = (await sheet.boundingBox())!.y - top
    ok(way > 30 && way <= 60, `the sheet moved ${way} pixels`)
  })
  await settled(sheet)
  equal((await sheet.boundingBox())!.y, top)
  await sheet.getByRole('button', { name: 'Use this photo' }).tap()
  await tara.sees(page.getByText('Waits for review').first())
  const [waiting] = (await testApp.duet('media', 'list')) as { owner_id: number }[]
  equal(waiting?.owner_id, tara.user_id)
})

/** Drags one finger down from the middle of an element, and looks before the finger is lifted. */
async function finger(
  page: Page,
  from: Locator,
  wayPixels: number,
  look: () => Promise<void>,
): Promise<void> {
  const box = (await from.boundingBox())!
  const x = box.x + box.width / 2
  const start = box.y + box.height / 2
  const touches = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove', y: number) =>
    touches.send('Input.dispatchTouchEvent', { type, touchPoints: [{ x, y }] })
  await touch('touchStart', start)
  for (let step = 1; step <= 10; step += 1)
    await touch('touchMove', start + (wayPixels * step) / 10)
  await look()
  // The finger goes back, so that its speed does not close a sheet.
  for (let step = 9; step >= 5; step -= 1) await touch('touchMove', start + (wayPixels * step) / 10)
  await touches.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await touches.detach()
}

/** The sheet does not slide. */
async function settled(sheet: Locator): Promise<void> {
  await sheet.evaluate((element) =>
    Promise.all(element.getAnimations().map(({ finished }) => finished)),
  )
}
