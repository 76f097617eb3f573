import PDFDocument from 'pdfkit'

export interface PurchaseReceipt {
  readonly title: string
  readonly issuer: string
  /** Label and value of each line. */
  readonly lines: readonly (readonly [label: string, value: string])[]
}

const MARGIN = 56
const LABEL_WIDTH = 180
const LINE = 24
const GREY = '#5c5350'

/** One page A4. */
export async function drawReceipt({ title, issuer, lines }: PurchaseReceipt): Promise<Buffer> {
  const page = new PDFDocument({ size: 'A4', margin: MARGIN, info: { Title: title } })
  const parts: Buffer[] = []
  page.on('data', (part: Buffer) => parts.push(part))
  const isWritten = new Promise<void>((resolve, reject) => {
    page.on('end', resolve)
    page.on('error', reject)
  })
  page.font('Helvetica-Bold').fontSize(22).text(title)
  page.font('Helvetica').fontSize(11).fillColor(GREY).text(issuer).moveDown(2)
  let top = page.y
  for (const [label, value] of lines) {
    page.fillColor(GREY).text(label, MARGIN, top, { width: LABEL_WIDTH })
    page.fillColor('black').text(value, MARGIN + LABEL_WIDTH, top)
    top += LINE
  }
  page.end()
  await isWritten
  return Buffer.concat(parts)
}
