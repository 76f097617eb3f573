import { deepEqual, equal, ok } from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from './csv.ts'

/** The fields of a line, read by the rules of RFC 4180. */
function readLine(line: string): string[] {
  const fields = line.slice(0, -2).match(/(?:^|,)(?:"(?:[^"]|"")*"|[^",]*)/g) ?? []
  return fields.map((field, index) => {
    const text = index === 0 ? field : field.slice(1)
    return text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text
  })
}

const FORMULAS = [
  '=1+1',
  '=cmd|"/C calc"!A0',
  '@SUM(A1:A9)',
  '+1+cmd|x',
  '-2+3+cmd|x',
  '-',
  '--1',
  '-1e5',
  '+49 30 123456',
  '\t=1+1',
  '\r=1+1',
  ' =1+1',
  '  @x',
  '|x',
  '=HYPERLINK("https://evil.example","click")',
  '=IMPORTXML("https://evil.example","//a")',
  '=WEBSERVICE("https://evil.example")',
  '=DDE("cmd";"/C calc";"x")',
  '＝1+1',
  '＋1',
  '－1+2',
  '＠x',
  '="a"&"b"',
  '=A1\n=B1',
  '\0=1',
  '\u200B=1',
  '\u2060@x',
  '﹦1',
  '﹣1+2',
  '−1',
]

test('a text that a spreadsheet would run is a text in every column', () => {
  for (const formula of FORMULAS)
    for (let column = 0; column < 4; column += 1) {
      const fields = ['a', 'b', 'c', 'd'].map((name, index) => (index === column ? formula : name))
      const read = readLine(csvLine(fields))
      deepEqual(read.length, 4, formula)
      equal(read[column], `'${formula}`)
      ok(!/(^|,)"?\s*[=+@|＝＋－＠-]/u.test(csvLine(fields).replace(/\r\n$/, '')), formula)
    }
})

test('numbers keep their sign, and quotes, commas and lines stay inside of their field', () => {
  equal(csvLine([1, '-2.5', null, 'plain', '10']), '1,-2.5,,plain,10\r\n')
  const fields = ['say "hi"', 'a,b', 'two\r\nlines', ' spaces ', "o'neill", '"']
  deepEqual(readLine(csvLine(fields)), fields)
})
