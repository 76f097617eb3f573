import { deepEqual } from 'node:assert/strict'
import { test } from 'node:test'
import { glossaryComplaints } from './glossary.ts'

const complaints = (...lines: string[]) =>
  glossaryComplaints(new Map([['GLOSSARY.md', ['## People', '', ...lines].join('\n')]]))

test('a term that stands twice is a complaint with both lines', () => {
  deepEqual(complaints('- **call**: a', '- **offer**: b', '', '## Calls', '- **call**: c'), [
    'GLOSSARY.md:7: "call" stands in line 3 too',
  ])
})

test('each of several terms of a line counts', () => {
  deepEqual(complaints('- **signal**: a', '- **action, signal**: b'), [
    'GLOSSARY.md:4: "signal" stands in line 3 too',
  ])
})

test('a term of two words is another term', () => {
  deepEqual(complaints('- **signal**: a signal', '- **client signal**: b'), [])
})
