import { deepEqual, equal, match } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { officeComplaints, officeSizes } from './office-budgets.ts'

let dist: string
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'duet-office-budgets-'))
  mkdirSync(join(dist, 'assets'))
  write(
    'index.html',
    '<script type="module" src="/office/assets/a.js"></script><link rel="modulepreload" href="/office/assets/b.js">',
  )
  write('assets/a.js', 'a()')
  write('assets/b.js', 'b()')
  write('assets/photos.js', 'photos()')
})
afterEach(() => rmSync(dist, { recursive: true }))

const write = (name: string, content: string) => writeFileSync(join(dist, name), content)
/** Random digits do not compress to less than 40% of their length. */
const large = (bytes: number) => randomBytes(bytes).toString('hex')

test('a small build has no complaints, and its pages are none of the start', () => {
  deepEqual(officeComplaints(dist), [])
  equal(officeSizes(dist).largest_page.name, 'assets/photos.js')
})

test('a start above its budget is named with its bytes', () => {
  write('assets/b.js', large(250_000))
  match(officeComplaints(dist).join(), /^The office's start has \d{6} bytes/)
})

test('a page above its budget is named with its bytes', () => {
  write('assets/photos.js', large(40_000))
  match(officeComplaints(dist).join(), /^assets\/photos\.js has \d{5} bytes/)
})
