/** The short form has some texts of each kind; `npm run proof hostile-texts` has all of them, and every language. */
import { after, afterEach, before, test } from 'node:test'
import { deepEqual } from 'node:assert/strict'
import { localeNames } from '@duet/protocol/kernel/locales.ts'
import { PageWatch } from '@duet/testkit/browser/page-watch.ts'
import type { BrowserUser } from '@duet/testkit/browser/browser-user.ts'
import { startBrowserTestApp, type BrowserTestApp } from '@duet/testkit/browser/browser-test-app.ts'
import { hostileTexts, someHostileTexts } from '@duet/testkit/hostile/hostile-texts.ts'
import { closedCall } from './money/ledger.ts'
import {
  addAuthors,
  type Author,
  blockAll,
  storeAround,
  storeOwnMessages,
  storeUnchanged,
  withoutLimits,
} from './hostile/authors.ts'

const IS_LONG = process.env.PROOF === 'long'
/** As many as one page of every list has. */
const GROUP = 20
/** Screens that show one text at a time are many: the short form opens them with some of the texts. */
const SINGLE = IS_LONG ? GROUP : 3

let testApp: BrowserTestApp

before(async () => {
  testApp = await startBrowserTestApp(
    {
      search_grace: '0',
      rematch_minutes: '0',
      pair_free_start: '1000',
      free_messages_a_day: '1000',
    },
    { SOCKETS_PER_ADDRESS: '100000' },
  )
  await withoutLimits(testApp)
})
afterEach(() => testApp.empty())
after(() => testApp.close())

const groups = Map.groupBy((IS_LONG ? hostileTexts() : someHostileTexts()).entries(), ([index]) =>
  Math.floor(index / GROUP),
)
for (const [number, entries] of groups) {
  const texts = entries.map(([, text]) => text)
  const others = localeNames.filter((locale) => locale !== 'ar')
  const locales = [others[number % others.length]!, 'ar']

  test(`the texts of others are shown as they were written and never run, group ${number}`, async () => {
    const viewer = await testApp.enterNew(`Reader${number}`, 'guy')
    const watch = await PageWatch.of(viewer.page, testApp.origin)
    // The texts arrive while the page is open: as toasts, in the list and in the bell.
    await watch.opens('/favorites', 'what arrives')
    const authors = await addAuthors(testApp, viewer, texts)
    await watch.looks()
    await writesAll(viewer, watch, authors[0]!, texts)
    await storeUnchanged(testApp, authors.slice(1))
    await storeOwnMessages(testApp, viewer, authors[0]!.dialog_id, texts)
    await storeAround(testApp, viewer, authors)
    for (const locale of locales) await readsLists(viewer, watch, authors, locale)
    for (const [index, author] of authors.slice(0, SINGLE).entries())
      await readsOne(viewer, watch, author, locales[index % 2]!)
    await blockAll(testApp, viewer, authors.slice(1))
    for (const locale of locales) {
      await watch.opens(`/${locale}/profile#blocked`)
      await watch.shows(texts.slice(1))
    }
    deepEqual(watch.findings, [])
  })
}

test('no text in the address of a page is run, and the email of a link is shown as it was written', async () => {
  const visitor = await testApp.visit('/')
  const watch = await PageWatch.of(visitor.page, testApp.origin)
  const texts = IS_LONG ? hostileTexts() : someHostileTexts().slice(0, SINGLE)
  for (const [index, text] of texts.entries()) {
    const word = encodeURIComponent(text)
    const query = ['rc', 'to-screen', 'utm_source', 'cam', 'pseudo', 'next']
      .map((name) => `${name}=${word}`)
      .join('&')
    const locale = index % 2 === 0 ? 'en' : 'ar'
    await watch.opens(`/${locale}/?email=${word}&${query}#${word}`)
    await visitor.button('Log in').first().click()
    // A field of one line keeps no line breaks.
    await watch.shows([text.replaceAll(/[\r\n]/g, '')])
    for (const path of ['girl', 'recovery', 'confirm', 'unsubscribe', 'messenger', 'nowhere']) {
      await watch.opens(`/${locale}/${path}/${word}?demo=${word}&${query}#${word}`)
      await watch.looks()
    }
  }
  deepEqual(watch.findings, [])
})

test('in a call neither the names nor the texts are run', async () => {
  const [nick, text] = ['<img src=x onerror=duetCanary(1)>', '<svg onload=duetCanary(1)>']
  const [she, he] = await Promise.all([
    testApp.enter('Sofia', 'desktop'),
    testApp.enter('Alex', 'desktop'),
  ])
  const users = [she, he]
  const watches = await Promise.all(users.map(({ page }) => PageWatch.of(page, testApp.origin)))
  const ids = users.map(({ user_id }) => user_id)
  await testApp.db.updateTable('users').set({ nick, about: text }).where('id', 'in', ids).execute()
  const all = (work: (watch: PageWatch) => Promise<void>) => Promise.all(watches.map(work))
  await watches[0]!.opens('/', 'her start')
  await watches[1]!.opens('/ar/', 'his start')
  for (const user of users) await user.start_button.click()
  await all((watch) => watch.shows([nick]))
  await Promise.all(users.map((user) => user.button(/^Say hello/).click()))
  await Promise.all(users.map((user) => user.seesMovingPicture()))
  for (const one of IS_LONG ? hostileTexts() : someHostileTexts()) await he.says(one)
  await he.says(text)
  await all((watch) => watch.shows([nick, text]))
  await he.presses('End the call')
  await closedCall(testApp, he)
  await all((watch) => watch.shows([nick]))
  deepEqual(
    watches.flatMap(({ findings }) => findings),
    [],
  )
})

/** The viewer types each text into a dialog. */
async function writesAll(
  { page }: BrowserUser,
  watch: PageWatch,
  { dialog_id }: Author,
  texts: readonly string[],
): Promise<void> {
  await watch.opens(`/messenger/${dialog_id}`, 'the composer')
  const field = page.locator('textarea')
  for (const text of texts) {
    await field.fill(text)
    await field.press('Enter')
  }
  await watch.looks()
}

async function readsLists(
  { page }: BrowserUser,
  watch: PageWatch,
  authors: readonly Author[],
  locale: string,
): Promise<void> {
  const texts = authors.map(({ text }) => text)
  const others = texts.slice(1)
  await watch.opens(`/${locale}/favorites`)
  await watch.shows(others)
  await watch.opens(`/${locale}/messenger`)
  await watch.shows(others)
  await watch.opens(`/${locale}/messenger/${authors[0]!.dialog_id}`)
  await watch.shows(texts)
  await watch.opens(`/${locale}/profile#devices`)
  await watch.shows(texts)
  watch.place = `the bell in ${locale}`
  await page
    .getByRole('button', { name: /^Notices/ })
    .first()
    .click()
  await watch.shows(others)
}

/** The own page of one user, as herself and as the viewer. */
async function readsOne(
  { user_id }: BrowserUser,
  watch: PageWatch,
  { text, ref_code, dialog_id }: Author,
  locale: string,
): Promise<void> {
  await watch.opens(`/${locale}/girl/${ref_code}`)
  await watch.shows([text])
  await watch.opens(`/${locale}/messenger/${dialog_id}`)
  await watch.shows([text])
  await testApp.db
    .updateTable('users')
    .set({ nick: text, about: text })
    .where('id', '=', user_id)
    .execute()
  for (const path of ['', '/profile#about']) {
    await watch.opens(`/${locale}${path}`, `own page ${locale}${path}: ${JSON.stringify(text)}`)
    await watch.shows([text])
  }
}
