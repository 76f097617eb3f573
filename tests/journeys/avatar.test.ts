import { after, afterEach, before, test } from 'node:test'
import { equal, ok } from 'node:assert/strict'
import { dominantColour, redAndBlue } from '@duet/testkit/uploads.ts'
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
  await nora.sees(dialog.getByText('Use a jpg or png up to 2 MB').first())
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
