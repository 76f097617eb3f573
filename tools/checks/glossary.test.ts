import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { glossaryComplaints } from './glossary.ts'

const complaints = (...rows: string[]) =>
  glossaryComplaints(
    new Map([['GLOSSARY.md', ['| Term | Meaning |', '| --- | --- |', ...rows].join('\n')]]),
  )

test('a term that stands twice is a complaint with both lines', () => {
  deepEqual(complaints('| call | a |', '| offer | b |', '', '| Term | M |', '| call | c |'), [
    'GLOSSARY.md:7: "call" stands in line 3 too',
  ])
})

test('each of several terms of a row counts', () => {
  deepEqual(complaints('| signal | a |', '| action, signal | b |'), [
    'GLOSSARY.md:4: "signal" stands in line 3 too',
  ])
})

test('a term of two words is another term, and headings repeat', () => {
  deepEqual(complaints('| signal | a signal |', '| client signal | b |', '| Term | M |'), [])
})
