import { equal } from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { maskSecrets } from './mask-secrets.ts'

const digest = createHash('md5').update('order').digest('hex')
const base64 = createHmac('sha256', 'secret').update('order').digest('base64')

for (const [name, text, shown] of [
  [
    'the signature of a query',
    `amount=9.99&signature=${digest}&shopID=1`,
    'amount=9.99&signature=***&shopID=1',
  ],
  ['a signature in capitals at the start', 'SIGN=abc&AMOUNT=1', 'SIGN=***&AMOUNT=1'],
  ['the token of a card', 'Token=tk_1&CardLastFour=4242', 'Token=***&CardLastFour=4242'],
  ['a digest under an unknown name', `s=${digest}&o=12`, 's=***&o=12'],
  ['a digest in base64', `h=${encodeURIComponent(base64)}&o=12`, 'h=***&o=12'],
  [
    'headers',
    `{"btcpay-sig":"sha256=${digest}","host":"duet"}`,
    '{"btcpay-sig":"***","host":"duet"}',
  ],
  ['a number in JSON', '{"api_key": 17, "amount": 9.99}', '{"api_key": "***", "amount": 9.99}'],
  ['JSON that was cut', '{"amount": 1, "token": "abc', '{"amount": 1, "token": "***"'],
  ['a value with a quote', String.raw`{"secret":"a\"b","amount":1}`, '{"secret":"***","amount":1}'],
  [
    'JSON within JSON',
    String.raw`{"body":"{\"token\":\"abc\",\"amount\":1}"}`,
    String.raw`{"body":"{\"token\":\"***\",\"amount\":1}"}`,
  ],
  [
    'the fields of an object',
    '{"signature":{"hash":"short"},"n":1}',
    '{"signature":{"hash":"***"},"n":1}',
  ],
  [
    'XML',
    '<order>7</order><signature>abc</signature>',
    '<order>7</order><signature>***</signature>',
  ],
  ['a line', 'order: 7\nsign: abc', 'order: 7\nsign: ***'],
  ['an encoded name', '%73ign=abc&order=7', '%73ign=***&order=7'],
  [
    'a password and an IBAN',
    'pwd=a&iban=DE1&pass=b&key=c&order=7',
    'pwd=***&iban=***&pass=***&key=***&order=7',
  ],
  [
    'the number of a card',
    'n=4111111111111111&order=4111111111111112',
    'n=***&order=4111111111111112',
  ],
] as const)
  test(`masks ${name} and nothing else`, () => equal(maskSecrets(text), shown))

test('a text that is made to be slow takes as long as another one of its length', () => {
  for (const text of ['?sig', '"sig', '{"sig":"', 'a"b:', '0f'])
    equal(typeof maskSecrets(text.repeat(200_000)), 'string', text)
})

test('an ordinary text stays as it is', () => {
  const text = 'reference=D17-AB23CD45&Amount=1499&insight=yes&email=paul%40example.org'
  equal(maskSecrets(text), text)
})
