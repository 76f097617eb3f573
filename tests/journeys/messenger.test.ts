import { after, afterEach, before, test } from 'node:test'
import { deepEqual, equal, ok } from 'node:assert/strict'
import type { WebSocketRoute } from 'playwright-core'
import { meet, type BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { pictureBytes } from '@duet/testkit/uploads.ts'
import { until } from '@duet/testkit/browser/until.ts'
import {
  type LibreTranslateStandIn,
  startLibreTranslate,
} from '@duet/testkit/stand-ins/libre-translate.ts'

let testApp: BrowserTestApp
let translator: LibreTranslateStandIn

before(async () => {
  translator = await startLibreTranslate()
  testApp = await startBrowserTestApp(
    { free_messages_a_day: '3', paid_after: '3' },
    { TRANSLATE_URL: translator.url },
  )
})
afterEach(() => testApp.empty())
after(async () => {
  await testApp.close()
  await translator[Symbol.asyncDispose]()
})

/** A guy on a desktop and a girl on a phone, who has marked him as a favourite. */
async function fetchPair(
  his: string,
  hers: string,
): Promise<[guy: BrowserUser, girl: BrowserUser]> {
  const [guy, girl] = await Promise.all([
    testApp.enterNew(his, 'guy'),
    testApp.enterNew(hers, 'girl', 'phone'),
  ])
  await testApp.db
    .insertInto('favourites')
    .values({ owner_id: girl.user_id, user_id: guy.user_id, at: Temporal.Now.instant() })
    .execute()
  return [guy, girl]
}

/** From the favourites into the dialog with this user. */
async function opensDialogWith(user: BrowserUser, nick: string): Promise<void> {
  await user.page.goto(`${testApp.origin}/favorites`)
  await user.button(`Write to ${nick}`).click()
  await user.sees(field(user, nick))
}

function field({ page }: BrowserUser, nick: string) {
  return page.getByRole('textbox', { name: `Write to ${nick}` })
}

async function writes(user: BrowserUser, nick: string, text: string): Promise<void> {
  await field(user, nick).fill(text)
  await user.button('Send').click()
}

const log = ({ page }: BrowserUser) => page.getByRole('log')
const bubble = (user: BrowserUser, text: string) => log(user).getByText(text, { exact: true })

async function stored(text: string): Promise<number> {
  const rows = await testApp.db
    .selectFrom('messages')
    .select('id')
    .where('text', '=', text)
    .execute()
  return rows.length
}

/** The kinds of the messages that this user wrote, the oldest first. */
async function storedBy({ user_id }: BrowserUser): Promise<string[]> {
  const rows = await testApp.db
    .selectFrom('messages')
    .select('type')
    .where('sender_id', '=', user_id)
    .orderBy('id')
    .execute()
  return rows.map(({ type }) => type)
}

/** The sockets of a page. `deaf`: what the page sends arrives, no answer comes back. `cut`: nothing passes. */
async function brokenLine({ page }: BrowserUser) {
  const open = new Set<WebSocketRoute>()
  let state: 'whole' | 'deaf' | 'cut' = 'whole'
  await page.routeWebSocket(/\/socket\.io\//, (socket) => {
    if (state === 'cut') return void socket.close()
    open.add(socket)
    const server = socket.connectToServer()
    socket.onMessage((packet) => server.send(packet))
    server.onMessage((packet) => {
      if (state === 'whole') socket.send(packet)
    })
  })
  return {
    deafen: () => void (state = 'deaf'),
    async cut() {
      state = 'cut'
      await Promise.all([...open].map((socket) => socket.close()))
      open.clear()
    },
    restore: () => void (state = 'whole'),
  }
}

test('two people who met by search reach each other: she likes him after the call, he writes the next day, she answers', async () => {
  const [ian, zoe] = await Promise.all([
    testApp.enterNew('Ian', 'guy'),
    testApp.enterNew('Zoe', 'girl', 'phone', '--verified', '--avatar', 'demo'),
  ])
  await meet(zoe, ian)
  await ian.meterIs('quota')
  await ian.presses('End the call')
  await ian.button('Write to Zoe').click()
  await ian.sees(ian.page.getByText('You can write when Zoe likes you or writes to you'))
  await zoe.button('Like Ian').click()
  await zoe.sees(zoe.page.getByText('Your like has reached Ian'))

  testApp.clock.leap({ hours: 24 })
  await ian.page.goto(`${testApp.origin}/messenger`)
  await ian.page.getByRole('link', { name: /Zoe/ }).click()
  await writes(ian, 'Zoe', 'Good morning')
  await zoe.page.goto(`${testApp.origin}/messenger`)
  await zoe.page.getByRole('link', { name: /Ian/ }).click()
  await zoe.sees(bubble(zoe, 'Good morning'))
  await writes(zoe, 'Ian', 'Back so soon?')
  await ian.sees(bubble(ian, 'Back so soon?'))
})

test('she writes from the favourites, he is told on every page, reads and answers until the free messages are used', async () => {
  const [leo, ada] = await fetchPair('Leo', 'Ada')
  await opensDialogWith(ada, 'Leo')
  await writes(ada, 'Leo', 'Is the lake frozen?')
  await leo.sees(leo.page.getByText('Message from Ada'))
  await leo.page.waitForFunction(() => document.title.startsWith('(1) '))
  const entry = leo.page.getByRole('link', { name: /unread Messages$/ })
  await leo.sees(entry)
  await entry.click()
  await leo.page.getByRole('link', { name: /Ada/ }).click()
  await leo.sees(bubble(leo, 'Is the lake frozen?'))
  await leo.page.waitForFunction(() => !document.title.startsWith('('))
  await ada.sees(log(ada).getByText('Read', { exact: true }))

  await field(leo, 'Ada').pressSequentially('Almost')
  await ada.sees(ada.page.getByText('Leo is typing'))
  await field(leo, 'Ada').press('Enter')
  await ada.sees(bubble(ada, 'Almost'))
  ok(await field(leo, 'Ada').evaluate((element) => element === document.activeElement))

  await ada.page.locator('input[type=file]').setInputFiles({
    name: 'lake.png',
    mimeType: 'image/png',
    buffer: await pictureBytes(600, 400, { format: 'png' }),
  })
  await ada.page.getByRole('button', { name: 'Send photo' }).click()
  const photo = log(leo).getByRole('img', { name: 'Photo' })
  await leo.sees(photo)
  await until('the photo', () =>
    photo.evaluate((image: HTMLImageElement) => image.naturalWidth > 0),
  )
  await ada.sees(log(ada).getByRole('img', { name: 'Your photo' }))
  await leo.sees(leo.page.getByText('2 free messages left today'))
  await writes(leo, 'Ada', 'On Sunday we skate')
  await leo.sees(leo.page.getByText('1 free message left today'))
  await writes(leo, 'Ada', 'Bring warm gloves')
  await leo.sees(leo.page.getByText("You've used today's free messages"))
  await leo.seesNo(field(leo, 'Ada'))
  await ada.sees(bubble(ada, 'Bring warm gloves'))
  await leo.page.keyboard.press('Escape')
  await leo.sees(leo.page.getByText('Choose someone to write to'))
  await leo.sees(leo.page.getByRole('link', { name: /Ada/ }).and(leo.page.locator(':focus')))
})

test('a message written without a connection waits and goes out once; one whose answer was lost is not sent twice', async () => {
  const [max, eva] = await fetchPair('Max', 'Eva')
  const line = await brokenLine(max)
  await max.reloads()
  await max.isIdle()
  await opensDialogWith(eva, 'Max')
  await writes(eva, 'Max', 'Hello')
  await max.page.goto(eva.page.url())
  await max.sees(bubble(max, 'Hello'))

  await line.cut()
  await writes(max, 'Eva', 'From the tunnel')
  await max.sees(log(max).getByText('Waits for the connection'))
  equal(await stored('From the tunnel'), 0)
  line.restore()
  await eva.sees(bubble(eva, 'From the tunnel'))
  await max.sees(
    log(max)
      .getByText('Read', { exact: true })
      .or(log(max).getByText('Sent', { exact: true })),
  )

  line.deafen()
  await writes(max, 'Eva', 'Out again')
  await eva.sees(bubble(eva, 'Out again'))
  await max.sees(log(max).getByText('Sending', { exact: true }))
  await line.cut()
  line.restore()
  await max.reloads()
  await max.sees(bubble(max, 'Out again'))
  await until('the answer', async () => (await log(max).getByText('Sending').count()) === 0)
  deepEqual([await stored('From the tunnel'), await stored('Out again')], [1, 1])
  equal(await bubble(max, 'Out again').count(), 1)

  await line.cut()
  await writes(max, 'Eva', 'From the bus')
  await max.sees(max.page.getByRole('link', { name: /1 message waits to be sent\s*Messages/ }))
  if (process.env.SHOTS) await max.page.screenshot({ path: `${process.env.SHOTS}/waiting.png` })
  await max.page.goto(`${testApp.origin}/`)
  line.restore()
  await eva.sees(bubble(eva, 'From the bus'))
})

test('a photo that is sent without a connection waits and goes out once', async () => {
  const [tom, ivy] = await fetchPair('Tom', 'Ivy')
  const line = await brokenLine(ivy)
  await ivy.reloads()
  await ivy.isIdle()
  await opensDialogWith(ivy, 'Tom')
  await ivy.sees(ivy.page.getByText('Nothing here yet. Say hello to Tom.'))
  const buffer = await pictureBytes(400, 300, { format: 'png' })
  const kiln = { name: 'kiln.png', mimeType: 'image/png', buffer }
  await ivy.page.locator('input[type=file]').setInputFiles(kiln)
  await ivy.sees(ivy.button('Send photo'))
  // After some seconds without a connection a dialog blocks the page, so nothing waits between the cut and the press.
  await line.cut()
  await ivy.page.context().setOffline(true)
  await ivy.button('Send photo').click()
  await ivy.sees(log(ivy).getByText('Waits for the connection'))
  await writes(ivy, 'Tom', 'My new kiln')
  const files = () =>
    testApp.db.selectFrom('media').select('id').where('owner_id', '=', ivy.user_id).execute()
  equal((await files()).length, 0)
  await ivy.page.context().setOffline(false)
  line.restore()
  await tom.sees(tom.page.getByText('Message from Ivy'))
  await until('both', async () => (await storedBy(ivy)).length === 2)
  deepEqual(await storedBy(ivy), ['image', 'text'])
  await until('the answers', async () => (await log(ivy).getByText('Sending').count()) === 0)
  equal(await log(ivy).getByRole('img', { name: 'Your photo' }).count(), 1)
  equal((await files()).length, 1)
})

test('on the phone Back shows the list; clearing and deleting ask first and change only the own view', async () => {
  const [ben, ida] = await fetchPair('Ben', 'Ida')
  await opensDialogWith(ida, 'Ben')
  await writes(ida, 'Ben', 'Good evening')
  await ida.sees(bubble(ida, 'Good evening'))
  await ida.button('All messages').click()
  await ida.sees(ida.heading('Messages'))
  await ida.page.getByRole('link', { name: /Ben/ }).click()
  await ida.sees(bubble(ida, 'Good evening'))
  const countEntries = () => ida.page.evaluate(() => history.length)
  const entries = await countEntries()
  await ida.button('All messages').click()
  await ida.sees(ida.heading('Messages'))
  await ida.page.getByRole('link', { name: /Ben/ }).click()
  await ida.sees(bubble(ida, 'Good evening'))
  equal(await countEntries(), entries)
  await ida.page.goBack()
  await ida.sees(ida.heading('Messages'))
  await ida.page.getByRole('link', { name: /Ben/ }).click()

  await ida.button('More').click()
  await ida.page.getByRole('menuitem', { name: 'Clear messages' }).click()
  await ida.button('Clear').click()
  await ida.sees(ida.page.getByText('Nothing here yet. Say hello to Ben.'))
  await ida.button('More').click()
  await ida.page.getByRole('menuitem', { name: 'Delete conversation' }).click()
  await ida.button('Delete').click()
  await ida.sees(ida.heading('Choose someone to write to'))
  await ida.reloads()
  await ida.sees(ida.heading('Choose someone to write to'))

  // The same dialog as a reader in Arabic sees it.
  const { id } = await testApp.db
    .selectFrom('dialogs')
    .select('id')
    .where('guy_id', '=', ben.user_id)
    .executeTakeFirstOrThrow()
  await ben.page.goto(`${testApp.origin}/ar/messenger/${id}`)
  await ben.sees(bubble(ben, 'Good evening'))
  equal(await ben.page.evaluate(() => document.documentElement.dir), 'rtl')
  await writes(ben, 'Ida', 'Good night')
  await ben.sees(log(ben).getByText('Sent', { exact: true }))
  const [hers, his] = await Promise.all([
    bubble(ben, 'Good evening').boundingBox(),
    bubble(ben, 'Good night').boundingBox(),
  ])
  ok(his!.x < hers!.x, 'own messages stand at the end, which is on the left')

  await ben.page.getByRole('switch', { name: 'Translate' }).click()
  await ben.sees(bubble(ben, '[ar] Good evening'))
  await ben.button('Show original').click()
  await ben.sees(bubble(ben, 'Good evening'))
  await ben.reloads()
  await ben.sees(bubble(ben, '[ar] Good evening'))
  equal(await bubble(ben, '[ar] Good night').count(), 0)
  deepEqual(
    translator.requests.map(({ q, target }) => [q, target]),
    [['Good evening', 'ar']],
  )
})
