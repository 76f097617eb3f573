import { deepEqual, equal, match } from 'node:assert/strict'
import { test } from 'node:test'
import { avoidedWords, wordComplaints } from './words.ts'

const complaints = (path: string, text: string) => wordComplaints(new Map([[path, text]]))

test('names an avoided word in a comment, a test name and a sentence', () => {
  const found = complaints(
    'a.test.ts',
    `// Tells whoever asks.
test('nobody is asked twice', () => {})
throw new Error('The file was written anew by the server')
const anew = somebody
`,
  )
  deepEqual(
    found.map((complaint) => complaint.split(': ').slice(0, 2).join(' ')),
    ['a.test.ts:1 "whoever"', 'a.test.ts:2 "nobody"', 'a.test.ts:3 "anew"'],
  )
})

test('a comment may not begin with a relative without a subject', () => {
  match(complaints('a.ts', '/** Who waits keeps the place. */')[0] ?? '', /begins with "Who"/)
  deepEqual(complaints('a.ts', '/** Who may call? */'), [])
  deepEqual(complaints('a.ts', '/** The user who waits. */'), [])
})

test('code in backticks and code blocks of a document are not prose', () => {
  deepEqual(complaints('a.md', 'The word `nobody` is a name.\n\n```\nnobody\n```\n'), [])
  equal(complaints('a.md', 'text\n\nso many users').length, 1)
})

test('comments of SQL, CSS and shell are read too', () => {
  equal(complaints('a.sql', '-- kept for ever\nselect 1').length, 1)
  equal(complaints('a.css', '/* let go */ a { }').length, 1)
  equal(complaints('a.sh', '#!/bin/sh\n# somebody').length, 1)
})

test('a plain sentence has no avoided word', () => {
  deepEqual(avoidedWords('Re-enqueues a waiting user; the waiting time is kept.'), [])
})
