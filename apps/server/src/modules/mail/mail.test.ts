import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { hostileTexts } from '@duet/testkit/hostile/hostile-texts.ts'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import { plainLine } from '../../lib/texts/plain-line.ts'
import { createSmtpMail } from '../../integrations/mail/smtp-mail.ts'
import type { Mail, MailTransport } from '../../integrations/mail/mail.ts'
import { enqueueMail, type NewMail } from './enqueue-mail.ts'
import { renderMail } from './render-mail.ts'
import { MAILS_AN_HOUR, type MailTemplate, type MailValues, PURPOSES } from './templates.ts'
import { unsubscribePath } from './unsubscribe.ts'

const TO = 'boris@people.example'
const mail: NewMail<'recovery'> = {
  to: TO,
  locale: 'en',
  template: 'recovery',
  values: { nick: 'Boris', link: '/recovery/abc', minutes: 10 },
  key: 'recovery:1',
}
const send = (testApp: TestApp, change: Partial<NewMail<'recovery'>> = {}) =>
  testApp.app.transact((tx) => enqueueMail(tx, { ...mail, ...change }))

story('a mail is sent once for its key, with a text and an HTML part', async ({ testApp }) => {
  await send(testApp)
  await send(testApp)
  const [only, ...others] = await testApp.mails(TO)
  deepEqual(others, [])
  equal(only!.subject, 'Your new password for Duet')
  for (const part of [only!.text, only!.html]) {
    ok(part.includes('Hello Boris'))
    ok(part.includes(`${testApp.origin}/recovery/abc`))
    ok(part.includes('10 minutes'))
  }
  equal(only!.unsubscribe_url, undefined)
})

story('no mail follows from a transaction that is rolled back', async ({ testApp }) => {
  await testApp.app
    .transact(async (tx) => {
      await enqueueMail(tx, mail)
      throw new Error('no')
    })
    .catch(() => {})
  deepEqual(await testApp.mails(), [])
})

story('the outbox holds neither the address nor the link of a mail', async ({ testApp }) => {
  await send(testApp)
  const rows = await testApp.app.db.selectFrom('outbox').selectAll().execute()
  equal(rows.length, 1)
  const budgets = await testApp.app.db.selectFrom('mail_budgets').selectAll().execute()
  const stored = JSON.stringify([rows[0]!.payload, budgets])
  for (const secret of ['boris@', 'abc', 'Boris', Buffer.from(TO).toString('base64')])
    ok(!stored.includes(secret), secret)
})

story('an address gets a bounded number of mails an hour', async ({ testApp }) => {
  const most = MAILS_AN_HOUR.account
  await together(most + 5, (index) => send(testApp, { key: `recovery:${index}` }))
  equal((await testApp.mails(TO)).length, most)
  await send(testApp, { key: 'other', to: 'carl@people.example' })
  await send(testApp, { key: 'capital', to: TO.toUpperCase() })
  equal((await testApp.mails()).length, most + 1)
  await testApp.leap('1 h')
  await send(testApp, { key: 'later' })
  equal((await testApp.mails(TO)).length, most + 1)
})

story('a mail that is too late is not sent', async ({ testApp }) => {
  await send(testApp, { valid_until: testApp.clock.now().subtract({ seconds: 1 }) })
  deepEqual(await testApp.mails(), [])
})

story.with({ env: { MAIL: 'off' } })(
  'an installation without mail writes none, and tells its pages',
  async ({ testApp, boris }) => {
    equal((await boris.get('system')).features.mail.on, false)
    await send(testApp)
    deepEqual(await testApp.app.db.selectFrom('outbox').selectAll().execute(), [])
  },
)

story('the operator lists and shows the last mails', async ({ testApp, boris }) => {
  equal((await boris.get('system')).features.mail.on, true)
  await send(testApp)
  await testApp.settle()
  const [line] = await testApp.duet<{ id: string; subject: string }[]>('mail', 'list')
  equal(line!.subject, 'Your new password for Duet')
  match(String((await testApp.duet('mail', 'show', line!.id)).text), /recovery\/abc/)
  const [look] = await testApp.duet<{ act: string; facts: object }[]>('audit', 'list')
  deepEqual([look!.act, look!.facts], ['mail_view', { mail_id: line!.id }])
})

story(
  'the signed address of a mail ends mails about notices by one click, and no other address does',
  async ({ testApp, boris, carl }) => {
    const path = unsubscribePath(testApp.app, boris.id)
    const post = (where: string, body?: string) =>
      fetch(testApp.origin + where, {
        method: 'POST',
        ...(body && {
          body,
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        }),
      })
    for (const wrong of [
      path.replace(String(boris.id), String(carl.id)),
      `${path.slice(0, -1)}${path.endsWith('A') ? 'B' : 'A'}`,
      '/unsubscribe/x',
      `/unsubscribe/${boris.id}.`,
      `/unsubscribe/0.${'A'.repeat(43)}`,
    ])
      equal((await post(wrong)).status, 404, wrong)
    equal((await boris.get('user/settings')).noty_email, true)
    // A program that looks at every link must not press it.
    await fetch(testApp.origin + path)
    equal((await boris.get('user/settings')).noty_email, true)
    equal((await post(path, 'List-Unsubscribe=One-Click')).status, 200)
    equal((await post(path)).status, 200)
    equal((await boris.get('user/settings')).noty_email, false)
    equal((await carl.get('user/settings')).noty_email, true)
  },
)

/** Every template with harmless values. */
const SAMPLES: { [T in MailTemplate]: MailValues[T] } = {
  confirm_email: { nick: 'Boris', link: '/confirm/abc' },
  recovery: { nick: 'Boris', link: '/recovery/abc', minutes: 10 },
  notice: { nick: 'Boris', sentence: 'Anna is online now', link: '/girl/A' },
  digest: { nick: 'Boris', count: 2, lines: ['Anna added you', 'Vera too'], link: '/' },
  security: { nick: 'Boris', sentence: 'Your password was changed', link: '/profile/' },
  warning: { nick: 'Boris', sentence: 'Your photo was removed', link: '/profile/' },
  staff_alarm: { count: 2, link: '/office/' },
  staff_count: { count: 2, link: '/office/' },
  staff_child_reports: { count: 2, link: '/office/reports' },
  staff_picture_reports: { count: 2, link: '/office/reports' },
  staff_looks_without_case: { person: 'dana@duet.example', count: 2, link: '/office/stopped' },
  staff_linked_accounts: { person: 'dana@duet.example', count: 2, link: '/office/stopped' },
  staff_guesses: { link: '/office/' },
  staff_link: { by: 'olga@duet.example', link: '/office/setup/#x' },
  staff_link_made: { email: 'dana@duet.example', by: 'shell', link: '/office/' },
  staff_set_up: { email: 'dana@duet.example', by: 'olga@duet.example', link: '/office/' },
  receipt: { nick: 'Boris', sentence: 'You were given 5 diamonds', link: '/', day: '2026-12-06' },
  report_receipt: { receipt: 'ABCDE-FGHJK', link: '/report/state#abc', day: '2026-12-06' },
  report_decided: { receipt: 'ABCDE-FGHJK' },
  email_changed: { nick: 'Boris', days: 7 },
  account_deletion: { nick: 'Boris', link: '/', day: '2026-12-06' },
}
const templates = Object.keys(SAMPLES) as MailTemplate[]

test('every text of mails belongs to a template, and every template has its texts', () => {
  const file = join(import.meta.dirname, '../../../../../packages/locales/en/mail.json')
  const ids = Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)
  const parts = ['subject', 'text', 'button', 'note', 'footer']
  const known = templates.flatMap((name) => parts.map((part) => `mail.${name}.${part}`))
  deepEqual(
    ids.filter((id) => !known.includes(id)),
    ['mail.footer', 'mail.unsubscribe', 'mail.report_decided.answer_removed'],
  )
  for (const template of templates) {
    const { subject, text, html } = renderMail(
      { template, locale: 'en', values: SAMPLES[template] },
      'https://duet.example',
      undefined,
    )
    for (const part of [subject, text, html]) ok(!/\bmail\.\w/.test(part), part)
    for (const part of [subject, text]) ok(!/[{}<>]/.test(part), part)
  }
  deepEqual(Object.keys(PURPOSES).toSorted(), templates.toSorted())
})

const HOSTILE = [
  ...hostileTexts(),
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  'a\r\nBcc: victim@people.example\r\n\r\nbody',
  'a\nSubject: other',
  '\u202Egnp.exe',
  '\u2066x\u2069\u200Fy\u061C',
  '{link}{0, plural, other {x}}',
  '&lt;b&gt;',
  '=?utf-8?Q?a=0D=0ABcc:_x=40y.example?=',
  'x'.repeat(5000),
  '\u0000\u001B[31m',
  '</title><base href="https://evil.example">',
]
const UNPRINTABLE = /[\p{Cc}--\n]|\u061C|\u200E|\u200F|[\u202A-\u202E\u2066-\u2069]/v
const parsedTags = (html: string) =>
  [...html.matchAll(/<\/?([a-z0-9]+)[\s>]/gi)].map(([, tag]) => tag)
const ATTRIBUTE = /\s([a-z-]+)=(?:"[^"]*"|'[^']*'|[^\s>]+)/gi
const attributes = (html: string) =>
  [...html.matchAll(/<[a-z][^>]*>/gi)].flatMap(([tag]) =>
    [...tag.matchAll(ATTRIBUTE)].map(([, name]) => name),
  )

test('no value of a user changes the markup, the links or the lines of a mail', () => {
  for (const template of templates) {
    const good = SAMPLES[template] as unknown as Record<string, unknown>
    const origin = 'https://duet.example'
    const plain = renderMail({ template, locale: 'en', values: good as never }, origin, undefined)
    for (const name of Object.keys(good).filter(
      (one) => typeof good[one] !== 'number' && one !== 'link',
    )) {
      for (const payload of HOSTILE.filter((text) => plainLine(text, 9) !== '')) {
        const value = Array.isArray(good[name]) ? [payload, payload] : payload
        const values = { ...good, [name]: value } as never
        const { subject, text, html } = renderMail(
          { template, locale: 'en', values },
          origin,
          undefined,
        )
        for (const part of [subject, text, html]) ok(!UNPRINTABLE.test(part), payload)
        ok(!subject.includes('\n') && subject.length <= 150)
        equal(text.split('\n').length, plain.text.split('\n').length, payload)
        deepEqual(parsedTags(html), parsedTags(plain.html), payload)
        deepEqual(attributes(html), attributes(plain.html), payload)
        deepEqual(linksIn(html), linksIn(plain.html), payload)
      }
    }
  }
})

function linksIn(html: string): string[] {
  return [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url!)
}

test('a language without texts gets the English mail, in that language’s direction', () => {
  const of = (locale: string) =>
    renderMail({ template: 'recovery', locale, values: SAMPLES.recovery }, '', undefined)
  equal(of('ar').subject, of('en').subject)
  match(of('ar').html, /dir="rtl"/)
  equal(of('xx').html, of('en').html)
})

interface Stand {
  readonly url: string
  readonly received: { to: string[]; raw: string }[]
}

async function smtpStand(options: Partial<SMTPServerOptions> = {}): Promise<Stand> {
  const received: Stand['received'] = []
  const server = new SMTPServer({
    authOptional: true,
    closeTimeout: 1,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('utf8'),
        })
        done()
      })
    },
    ...options,
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  after(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.server.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, received }
}

const FROM = 'Duet <no-reply@duet.example>'
function transportTo(url: string): MailTransport {
  const transport = createSmtpMail({ url, from: FROM })
  after(() => transport.close())
  return transport
}
const now = Temporal.Instant.from('2026-03-01T12:00:00Z')
const letter: Mail = {
  id: 'one',
  to: TO,
  subject: 'Hello',
  text: 'plain\n',
  html: '<p>html</p>',
  unsubscribe_url: 'https://duet.example/unsubscribe/1.x',
}

test('no mail waits inside the transport, where it would be sent after it was given up', async () => {
  const release = Promise.withResolvers<void>()
  const { url, received } = await smtpStand({
    onRcptTo: (_address, _session, done) => void release.promise.then(() => done()),
  })
  const transport = transportTo(url)
  const five = Array.from({ length: 5 }, () => transport.send(letter, now))
  await rejects(transport.send(letter, now), /busy/)
  release.resolve()
  await Promise.all(five)
  equal(received.length, 5)
  equal(await transport.send(letter, now), 'sent')
})

test('a mail reaches the SMTP server with both parts and the headers of one-click unsubscribing', async () => {
  const stand = await smtpStand()
  await transportTo(stand.url).send(letter, now)
  const [{ to, raw }] = stand.received as [Stand['received'][0]]
  deepEqual(to, [TO])
  match(raw, /^List-Unsubscribe: <https:\/\/duet\.example\/unsubscribe\/1\.x>\r$/m)
  match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
  match(raw, /^Message-ID: <one@duet\.example>\r$/m)
  match(
    raw,
    /Content-Type: text\/plain[\s\S]*plain[\s\S]*Content-Type: text\/html[\s\S]*<p>html<\/p>/,
  )
})

test('no address and no subject adds a recipient or a header', async () => {
  const stand = await smtpStand()
  const transport = transportTo(stand.url)
  for (const to of [
    'a@people.example, victim@people.example',
    'a@people.example\r\nBcc: victim@people.example',
    '"x" <victim@people.example>',
  ])
    await transport.send({ ...letter, to }, now).catch(() => {})
  await transport.send({ ...letter, subject: 'a\r\nBcc: victim@people.example' }, now)
  ok(stand.received.every(({ to }) => !to.includes('victim@people.example')))
  ok(stand.received.every(({ raw }) => !/^(Bcc|Cc):/im.test(raw.split('\r\n\r\n')[0]!)))
})

test('an address that is refused for good is told apart from a server that is away', async () => {
  const refusing = await smtpStand({
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('no such mailbox'), { responseCode: 550 })),
  })
  const toOutcome = (url: string) =>
    transportTo(url)
      .send(letter, now)
      .catch(() => 'failed')
  equal(await toOutcome(refusing.url), 'refused')
  const busy = await smtpStand({
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('later'), { responseCode: 451 })),
  })
  equal(await toOutcome(busy.url), 'failed')
  equal(await toOutcome('smtp://127.0.0.1:1'), 'failed')
})
