import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { drawReceipt, type PurchaseReceipt } from './draw-receipt.ts'
import { loadFonts } from './fonts.ts'
import { toVisualRuns } from './visual-runs.ts'

/** The texts of the streams of a PDF. */
function streamTexts(pdf: Buffer): string[] {
  const texts: string[] = []
  let at = pdf.indexOf('stream\n')
  while (at >= 0) {
    const from = at + 'stream\n'.length
    const to = pdf.indexOf('\nendstream', from)
    try {
      texts.push(inflateSync(pdf.subarray(from, to)).toString('latin1'))
    } catch {
      // An embedded font, which is not compressed.
    }
    at = pdf.indexOf('stream\n', to + '\nendstream'.length)
  }
  return texts
}

/** The letters that a reader of the PDF finds, and the numbers of the glyphs that are drawn. */
function readPdf(pdf: Buffer) {
  const texts = streamTexts(pdf)
  const maps = texts.filter((text) => text.includes('beginbfrange') || text.includes('beginbfchar'))
  const letters = new Set(
    maps.flatMap((text) =>
      [...text.matchAll(/<([0-9a-fA-F ]+)>/g)].flatMap(([, hex]) => [
        // One glyph can be several letters.
        ...Buffer.from(hex!.replaceAll(' ', '').padEnd(4, '0'), 'hex').swap16().toString('utf16le'),
      ]),
    ),
  )
  const glyphs = texts
    .filter((text) => text.includes(' Tf'))
    .flatMap((text) => [...text.matchAll(/<([0-9a-fA-F]+)>/g)])
    .flatMap(([, hex]) => hex!.match(/.{4}/g) ?? [])
  return { letters, glyphs }
}

function receipt(of: Partial<PurchaseReceipt>): PurchaseReceipt {
  const base = {
    locale: 'en',
    direction: 'ltr',
    title: 'Receipt 12',
    issuer: 'Sold by duet',
  } as const
  return Object.assign({ lines: [] }, base, of)
}

const NAMES = {
  ru: 'Алексей Ёжиков',
  ar: 'محمد عبد الله',
  zh: '欧阳小明',
  ja: 'さくら カタカナ 桜 辻',
  ko: '김민준 한국',
  he: 'שלום',
  el: 'Ωμέγα',
  vi: 'Nguyễn Thị Ngọc',
  th: 'สมชาย',
  hi: 'अनुष्का',
  pl: 'Zażółć gęślą jaźń',
  de: 'Größe Straße',
}

test('a receipt writes names in the scripts of all languages, and no empty box', async () => {
  const lines = Object.entries(NAMES)
  const pdf = await drawReceipt(receipt({ title: lines.flat().join(' '), lines }))
  const { letters, glyphs } = readPdf(pdf)
  const missing = [...new Set(Object.values(NAMES).join('').normalize('NFC'))].filter(
    (letter) => letter.trim() !== '' && !letters.has(letter),
  )
  deepEqual(missing, [])
  ok(glyphs.length > 100)
  equal(glyphs.includes('0000'), false)
  ok(pdf.length < 300_000, 'only the letters of the receipt are embedded')
})

test('a sign that no font has is left out', async () => {
  const pdf = await drawReceipt(receipt({ lines: [['Account', 'Emil \u{1F600}\u{10FFFF} (12)']] }))
  equal(readPdf(pdf).glyphs.includes('0000'), false)
})

async function order(line: string, direction: 'ltr' | 'rtl'): Promise<string[]> {
  const { fontFor } = await loadFonts('ar', line)
  return toVisualRuns(line, direction, fontFor).map(({ text }) => text)
}

test('a line from right to left keeps numbers and Latin words readable', async () => {
  deepEqual(await order('إيصال 12', 'rtl'), ['12', ' ', 'إيصال'])
  deepEqual(await order('שלום Receipt', 'rtl'), ['Receipt', ' ', 'שלום'])
})

test('a name from right to left does not move the number beside it', async () => {
  const text = (await order('\u2068شلوم\u2069 (12)', 'ltr')).join('')
  equal(text.endsWith('(12)'), true)
  deepEqual(await order('(שלום)', 'rtl'), ['(', 'שלום', ')'])
})

test('Chinese letters have the forms of the language of the buyer', async () => {
  const family = async (locale: string) => (await loadFonts(locale, '直')).fontFor('直')
  ok((await family('ja'))?.startsWith('noto-sans-jp'))
  ok((await family('zh'))?.startsWith('noto-sans-sc'))
  ok((await family('ko'))?.startsWith('noto-sans-kr'))
})
