import PDFDocument from 'pdfkit'
import { loadFonts, type Weight } from './fonts.ts'
import { toVisualRuns, type VisualRun } from './visual-runs.ts'

export interface PurchaseReceipt {
  /** The language of the buyer: it decides between forms of Chinese letters. */
  readonly locale: string
  readonly direction: 'ltr' | 'rtl'
  readonly title: string
  readonly issuer: string
  /** Label and value of each line. */
  readonly lines: readonly (readonly [label: string, value: string])[]
}

const MARGIN = 56
const LABEL_WIDTH = 180
const LINE = 24
const TITLE_SIZE = 22
const TEXT_SIZE = 11
const GREY = '#5c5350'
/** The document library sets a text word by word, in the wrong order from right to left, unless features are given. */
const WHOLE: PDFKit.Mixins.TextOptions = {
  lineBreak: false,
  features: [],
  baseline: 'alphabetic',
}

type Page = InstanceType<typeof PDFDocument>

/** One page A4. Each font is embedded with the letters of this receipt only. */
export async function drawReceipt(receipt: PurchaseReceipt): Promise<Buffer> {
  const { locale, title, issuer, lines } = receipt
  const page = new PDFDocument({ size: 'A4', margin: MARGIN, info: { Title: title } })
  const parts: Buffer[] = []
  page.on('data', (part: Buffer) => parts.push(part))
  const isWritten = new Promise<void>((resolve, reject) => {
    page.on('end', resolve)
    page.on('error', reject)
  })
  const write = await openFonts(page, receipt, [
    [700, locale, title],
    [400, locale, [issuer, ...lines.flat()].join('')],
  ])
  let top = MARGIN
  write({ text: title, weight: 700, size: TITLE_SIZE, top })
  top += TITLE_SIZE * 2
  write({ text: issuer, colour: GREY, top })
  top += LINE * 2
  for (const [label, value] of lines) {
    write({ text: label, colour: GREY, top, to: LABEL_WIDTH - MARGIN / 4 })
    write({ text: value, top, from: LABEL_WIDTH })
    top += LINE
  }
  page.end()
  await isWritten
  return Buffer.concat(parts)
}

interface Line {
  readonly text: string
  readonly top: number
  readonly weight?: Weight
  readonly size?: number
  readonly colour?: string
  /** Where the space of the line begins and ends, from the start of the page. */
  readonly from?: number
  readonly to?: number
}

/** Embeds the fonts, and returns what writes a line with them. A line that is too long is written smaller. */
async function openFonts(
  page: Page,
  { direction }: PurchaseReceipt,
  texts: readonly (readonly [weight: Weight, locale: string, text: string])[],
): Promise<(line: Line) => void> {
  const findFont = new Map<Weight, (letter: string) => string | undefined>()
  for (const [weight, locale, text] of texts) {
    const fonts = await loadFonts(locale, text)
    findFont.set(weight, fonts.fontFor)
    for (const { name, bytes } of await fonts.embed(weight))
      page.registerFont(`${weight} ${name}`, bytes)
  }
  const inner = page.page.width - 2 * MARGIN
  return ({
    text,
    top,
    weight = 400,
    size = TEXT_SIZE,
    colour = 'black',
    from = 0,
    to = inner,
  }) => {
    const runs = toVisualRuns(text, direction, findFont.get(weight)!)
    const width = (run: VisualRun, points: number) =>
      page.font(`${weight} ${run.font}`).fontSize(points).widthOfString(run.text, WHOLE)
    const needed = runs.reduce((sum, run) => sum + width(run, size), 0)
    const fitting = Math.min(size, (size * (to - from)) / Math.max(needed, 1))
    const length = (needed * fitting) / size
    let left = MARGIN + (direction === 'rtl' ? inner - from - length : from)
    for (const run of runs) {
      const step = width(run, fitting)
      page.fillColor(colour).text(run.text, left, top + size, WHOLE)
      left += step
    }
  }
}
