import { deepEqual, equal, match } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { budgetComplaints, builtSizes } from './web-budgets.ts'

let dist: string
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'duet-web-budgets-'))
  mkdirSync(join(dist, 'assets'))
  write('index.html', '<html><script>start()</script></html>')
  write('app.html', page('assets/a.js', 'assets/b.js'))
  write('assets/a.js', 'a()')
  write('assets/b.js', 'b()')
  write('assets/s.css', 'a{}')
})
afterEach(() => rmSync(dist, { recursive: true }))

const write = (name: string, content: string) => writeFileSync(join(dist, name), content)
const page = (...scripts: string[]) =>
  `<link rel="stylesheet" href="/assets/s.css">${scripts.map((path) => `<link rel="modulepreload" href="/${path}">`).join('')}`
/** Random digits do not compress to less than 40% of their length. */
const large = (bytes: number) => randomBytes(bytes).toString('hex')

test('a small build has no complaints', () => {
  deepEqual(budgetComplaints(dist), [])
})

test('a script counts once, however often the page names it', () => {
  const { start_bytes } = builtSizes(dist)
  write('app.html', page('assets/a.js', 'assets/b.js', 'assets/a.js'))
  equal(builtSizes(dist).start_bytes, start_bytes)
})

test('what is preloaded with low priority counts for the part that follows the start', () => {
  const before = builtSizes(dist)
  write('assets/late.js', large(100))
  write(
    'app.html',
    `${page('assets/a.js', 'assets/b.js')}<link rel="modulepreload" fetchpriority="low" href="/assets/late.js">`,
  )
  const after = builtSizes(dist)
  equal(after.start_bytes, before.start_bytes)
  equal(before.runtime_bytes, 0)
  equal(after.runtime_bytes > 100, true)
  write('assets/late.js', large(60_000))
  match(budgetComplaints(dist).join(), /^What the application loads after it has \d{5} bytes/)
})

test('a landing page that loads a script is refused', () => {
  write('index.html', '<html><script type="module" src="/assets/a.js"></script></html>')
  match(budgetComplaints(dist).join(), /^The landing page loads a script/)
})

for (const { part, bytes, open, close } of [
  { part: 'fonts', bytes: 'later_fonts_bytes', open: 'template', close: 'template' },
  { part: 'styles', bytes: 'later_styles_bytes', open: 'script type="text/css"', close: 'script' },
] as const)
  test(`${part} that follow the first frame of the page have a budget of their own`, () => {
    const before = builtSizes(dist)
    const withPart = (size: number) =>
      write('index.html', `<html><${open} id="later-${part}">${large(size)}</${close}></html>`)
    withPart(1000)
    const after = builtSizes(dist)
    equal(after.page_bytes <= before.page_bytes, true)
    equal(after[bytes] > 1000, true)
    withPart(20_000)
    match(
      budgetComplaints(dist).join(),
      new RegExp(`^The part of its later ${part} has \\d{5} bytes`),
    )
  })

test('a part above its budget is named with its bytes', () => {
  write('assets/b.js', large(200_000))
  match(budgetComplaints(dist).join(), /^The application's start has \d{6} bytes/)
  write('assets/b.js', '')
  write('index.html', large(60_000))
  match(budgetComplaints(dist).join(), /^The landing page has \d{5} bytes/)
})
