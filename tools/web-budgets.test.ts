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
  equal(before.later_bytes, 0)
  equal(after.later_bytes > 100, true)
  write('assets/late.js', large(120_000))
  match(budgetComplaints(dist).join(), /^What the application loads after it has \d{6} bytes/)
})

test('a landing page that loads a script is refused', () => {
  write('index.html', '<html><script type="module" src="/assets/a.js"></script></html>')
  match(budgetComplaints(dist).join(), /^The landing page loads a script/)
})

/** Scripts that import each other in a row; the name of the first. */
function scriptsInRow(name: string, count: number): string {
  for (let at = 0; at < count; at += 1)
    write(`assets/${name}-${at}.js`, at + 1 < count ? `import"./${name}-${at + 1}.js"` : '')
  return `${name}-0.js`
}

test('the script files of the start screen are counted with everything that they import', () => {
  equal(builtSizes(dist).start_screen_files, 2)
  scriptsInRow('video', 11)
  equal(builtSizes(dist).start_screen_files, 13)
  match(budgetComplaints(dist).join(), /^The start screen needs 13 script files, its budget is 12/)
})

test('a screen that adds more than six script files to those of the start screen is named', () => {
  write('assets/b.js', `import("./${scriptsInRow('gallery', 6)}")`)
  write('assets/gallery-5.js', 'import{a}from"./a.js"')
  deepEqual(builtSizes(dist).largest_screen, { name: 'gallery-0.js', files: 6 })
  deepEqual(budgetComplaints(dist), [])
  scriptsInRow('gallery', 7)
  match(budgetComplaints(dist).join(), /^After it gallery-0.js needs 7 script files/)
})

test('a part above its budget is named with its bytes', () => {
  write('assets/b.js', large(200_000))
  match(budgetComplaints(dist).join(), /^The application's start has \d{6} bytes/)
  write('assets/b.js', '')
  write('index.html', large(80_000))
  match(budgetComplaints(dist).join(), /^The landing page has \d{5} bytes/)
})
