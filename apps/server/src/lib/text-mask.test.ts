import { equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { testSeed } from '@duet/testkit/seeded-random.ts'
import { maskNeighbours, maskText } from './text-mask.ts'

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
  ['four one five, triple five, two six seven one', '***'],
  ['double four one five, doppel 5, two six seven', '***'],
  ['ann4berg at g m a i l', '***'],
  ["it's 415 then 555 then 2671", "it's ***"],
  ['вк ком слэш id123456', '***'],
  ['a.n.n.a.b.e.r.g @ f.r.e.e . f.r', '***'],
  ['anna アットマーク ドコモ ドット エヌイー ドット ジェーピー', '***'],
  ['h t t p s : / / instagram . com / anna', 'h t t p s : / / ***'],
  ['anna.berg AT gm@il D0T c0m', '***'],
  ['anna punkt berg ät web punkt de', '***'],
] as const

for (const text of [
  'my double 5 is here, we were triple one',
  'I bought 3 then 400 then 1200',
  'in 1999 then 2003 then 2011',
  'first 100 then 200 then 300',
  'we won it double, 4 to 1, then 2 to 1',
  'w o w i am at yahoo',
  'U.S.A. @ home',
  'open slash close, then slash it',
  'meet me at home, dot my i and be on point',
])
  test(`a text without a contact stays: ${text}`, () => equal(mask(text), text))

for (const [said, shown] of contacts)
  test(`a contact is masked: ${said}`, () => equal(mask(said), shown))

for (const sign of [`"`, "'", '*', '_', '~', '|', '/', '\\', '-'])
  test(`words for the signs of an address may stand between ${sign}`, () => {
    equal(mask(`anna${sign}arroba${sign}gmail${sign}punto${sign}com`).includes('gmail'), false)
    equal(mask(`anna${sign}собачка${sign}mail${sign}точка${sign}ru`).includes('mail'), false)
  })

/** Words that a contact has nothing to do with, longer than what is searched around a place. */
const FILLER = 'das Haus am See ist schön '.repeat(40)

test('a contact is masked in the middle of a long text as it is alone', () => {
  for (const [said, shown] of contacts)
    equal(mask(`${FILLER}${said} ${FILLER}`), `${FILLER}${shown} ${FILLER}`, said)
  for (const said of [
    'moc.fnatreud',
    'd u e t f a n . n e t',
    'duetfаn.nеt',
    'aHR0cHM6Ly9leGFtcGxlLmNvbQ==',
  ])
    equal(mask(`${FILLER}${said} ${FILLER}`), `${FILLER}*** ${FILLER}`, said)
})

test('digits on both sides of a masked part are masked, also in a long text', () => {
  equal(mask(`${FILLER}138 duetfan.net 0013 8000 ${FILLER}`), `${FILLER}*** ${FILLER}`)
  const joiners = '\u200d'.repeat(400)
  equal(mask(`${FILLER}138 duetfan.net ${joiners}0013 8000 ${FILLER}`), `${FILLER}*** ${FILLER}`)
})

test('two sentences far from a contact stay, however far it is', () => {
  const sentences = 'we were at the casa.de nada was her answer '
  for (const said of ['duetfan.net', 'т\u0435l\u0435gram', 'd u e t f a n . n e t'])
    for (let distance = 0; distance < 220; distance += 1) {
      const between = ' ab'.repeat(distance)
      equal(mask(`${said}${between} ${sentences}`), `***${between} ${sentences}`)
      equal(mask(`${sentences}${between} ${said}`), `${sentences}${between} ***`)
    }
})

test('a name beside a competitor is masked, however far it is', () => {
  const far = mask(`т\u0435l\u0435gram ${FILLER} @annaanna`)
  equal(far, `*** ${FILLER} ***`)
})

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

const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...contacts.map(([said]) => said)),
      fc.string({ maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.stringMatching(/^[0-9a@.,() *١٢零一пять-]{0,20}$/),
      fc.constantFrom('\ud83d', '\ude00', '\u0000', '👩‍👩‍👧', '𝟝𝟝𝟝𝟝𝟝', '***', '\u0301'.repeat(40)),
    ),
    { maxLength: 6 },
  )
  .chain((parts) => fc.constantFrom(parts.join(' '), parts.join('')))

test('masking a masked text changes nothing', () => {
  fc.assert(
    fc.property(anyText, (text) => equal(mask(mask(text)), mask(text))),
    { seed: testSeed(), numRuns: 1000 },
  )
})

test('masking keeps everything else of a text as it was written, and makes it three times as long at most', () => {
  fc.assert(
    fc.property(anyText, (written) => {
      const text = written.replaceAll('*', '+')
      const masked = mask(text)
      ok(masked.length <= text.length * 3)
      let at = 0
      for (const kept of masked.split('***')) {
        const found = text.indexOf(kept, at)
        ok(found >= at, JSON.stringify({ text, masked }))
        at = found + kept.length
      }
    }),
    { seed: testSeed(), numRuns: 1000 },
  )
})

test('no text of a user breaks masking', () => {
  for (const text of [
    '',
    '\u0000',
    '\ud800',
    '\udc00\ud800',
    'e\u0301'.repeat(10_000),
    '\u0301'.repeat(10_000),
  ])
    equal(mask(text), text)
  equal(mask('👍🏽 +49 170 1234567 👩‍👩‍👧'), '👍🏽 *** 👩‍👩‍👧')
})

/** A quadratic pattern would take hours with the longest of these. */
test('the work of masking grows linearly with the length of any text', () => {
  const attacks = [
    '1 ',
    'a.',
    'a@',
    '((at) ',
    'www.',
    '-',
    'one',
    'one ',
    'a ',
    't',
    'telegra',
    'a.com ',
    '1.',
    '一',
    'http:',
  ]
  for (const attack of [
    ...attacks,
    'aB1',
    'o1',
    '@.',
    'moc.',
    'gmail ',
    '100 ',
    '1/',
    'а1',
    '(',
    '1 dash ',
    'и ',
    '12:34, ',
  ])
    equal(typeof mask(attack.repeat(Math.ceil(200_000 / attack.length))), 'string')
})

const split: [recent: string[], text: string, shown: string][] = [
  [['call 8916', '123'], '4567 ok', '*** ok'],
  [['916', '123', '45'], '67', '***'],
  [['five five five', 'one two three'], 'four five six seven', '***'],
  [['my mail is anna@'], 'gmail.com', '***'],
  [['anna@gmail'], '.com', '***'],
  [['anna at gmail'], 'dot com', '***'],
  [['duetfan'], '.net', '***'],
  [['tele'], 'gram me', '*** me'],
  [['my number is 8916'], 'and then 1234567', '***'],
]
for (const [recent, text, shown] of split)
  test(`a contact over several messages is masked where it ends: ${[...recent, text].join(' | ')}`, () =>
    equal(maskNeighbours(recent, text, { words: ['telegram'] }).text, shown))

const apart: [recent: string[], text: string][] = [
  [['I am 25'], '178 cm'],
  [['see you at 18:30'], '12.05.2026 then'],
  [['I was at home.'], 'Come here'],
  [['call 8916 is what she said', 'haha'], '1234567'],
  [['+49 170 1234567'], 'did you get it?'],
  [[], 'hello'],
  [['мне 25'], '2 кота и 3 собаки'],
]
for (const [recent, text] of apart)
  test(`messages without a contact between them stay: ${[...recent, text].join(' | ')}`, () =>
    equal(maskNeighbours(recent, text, { words: ['telegram'] }).text, text))

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
