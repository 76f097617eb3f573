import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import { maskText } from './text-mask.ts'

const mask = (text: string) => maskText(text, { words: ['telegram', 'whatsapp', 'ome.tv'] }).text

const contacts = [
  ['see https://example.com/me?x=1 now', 'see *** now'],
  ['www.somewhere.fr', '***'],
  ['mail anna.b@example.com please', 'mail *** please'],
  ['anna (at) mail (dot) ru', '***'],
  ['anna at gmail dot com', '***'],
  ['my site is duetfan.net', 'my site is ***'],
  ['call +49 170 123 45 67 ok', 'call *** ok'],
  ['8.9.1.2.3.4.5.6.7.8', '***'],
  ['１２３４５６７８９', '***'],
  ['٥٥٥١٢٣٤٥٦٧', '***'],
  ['555\u200b123\u200b4567', '***'],
  ['4111 1111 1111 1111', '***'],
  ['write me on Telegram', 'write me on ***'],
  ['т\u0435l\u0435gram', '***'],
  ['t e l e g r a m', '***'],
  ['t.me/annaanna', '***'],
] as const

for (const [said, shown] of contacts)
  test(`a contact is masked: ${said}`, () => equal(mask(said), shown))

const harmless = [
  'I was born 12.05.1998',
  'see you 2026-11-21, 18.30',
  'it costs 1 250 000 rubles',
  'about 1.250.000,50',
  '7 minutes, 45 coins, room 1204',
  'ok. me too',
  'At 5 to 9. In the morning. It is cold.',
  'you know... me and you',
  'Привет, как дела? Я дома.',
  'مرحبا كيف حالك اليوم',
  '今天天气很好,我们聊聊吧。',
  'from 1998 - 2005 I lived there',
  '😀😀😀 3 2 1 go',
  '0123456789',
]
for (const said of harmless) test(`harmless text stays: ${said}`, () => equal(mask(said), said))

test('masking a masked text changes nothing', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(fc.constantFrom(...contacts.map(([said]) => said)), fc.string({ maxLength: 20 })),
        {
          maxLength: 6,
        },
      ),
      (parts) => {
        const once = mask(parts.join(' '))
        const twice = maskText(once, { words: [] })
        ok(!/\d{9}/.test(twice.text))
        equal(mask(twice.text), mask(mask(twice.text)))
      },
    ),
    { seed: testSeed() },
  )
})

test('the work of masking grows linearly with the length of any text', () => {
  const attacks = [
    '1 '.repeat(1000),
    'a.'.repeat(1000),
    'a@'.repeat(1000),
    '((at) '.repeat(400),
    'www.'.repeat(500),
    `${'-'.repeat(1000)}1`,
  ]
  for (const attack of attacks) equal(typeof mask(attack), 'string')
})

test('a word of the settings may have blanks, dashes, quotes and signs of patterns', () => {
  const words = ['chat roulette', 'ome-tv', "o'clock", 'a+b(c[d', '*.*.live^', 'e\\d{2}']
  const masked = (text: string) => maskText(text, { words }).text
  for (const text of [
    'chat roulette',
    'Chat-Roulette',
    'chatroulette',
    'c.h.a.t r o u l e t t e',
    'ome tv',
    'o’clock'.replace('’', "'"),
    'abcd',
    'LIVE',
  ])
    equal(masked(`see ${text} soon`), 'see *** soon', text)
  for (const text of ['chat about roulettes', 'dome tv', 'alive', 'abc', 'ed99'])
    equal(masked(text), text)
})
