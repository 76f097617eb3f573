import { deepEqual, equal, match } from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { loopDelayLine, loopDelayNotes, readLoopDelay } from './loop-delay.ts'
import { runNodeTests, slowFileNotes } from './node-tests.ts'
import { merge, closingLine, toResult, exitCode, failed, nothing, passed } from './result.ts'
import { checkByProgram, run } from './program.ts'
import { packageComplaints } from '../system-packages.ts'
import { chooseSteps, STEPS } from './steps.ts'
import { readReport } from './vitest.ts'

const LIMIT_MS = 60_000

/** Runs real node:test files, written for the occasion, through the harness. */
async function fetchOutcome(t: TestContext, files: Record<string, string>, inGroups = false) {
  const root = mkdtempSync(join(tmpdir(), 'duet-harness-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  const paths = Object.keys(files).map((name) => join(root, name))
  // The runner refuses to start inside a test process, so the variable that marks a test process is
  // removed.
  delete process.env.NODE_TEST_CONTEXT
  return runNodeTests({
    root,
    files: paths,
    in_groups: inGroups,
    file_limit_ms: LIMIT_MS,
    signal: AbortSignal.timeout(LIMIT_MS),
  })
}

test('every single test counts, whatever file it stands in', async (t) => {
  const outcome = await fetchOutcome(t, {
    'a.test.mjs': `import { test, describe } from 'node:test'
      describe('a suite is no test', () => { test('one', () => {}); test('two', () => {}) })
      test('left out', { skip: true }, () => {})`,
    'b.test.mjs': `import { test } from 'node:test'; test('three', () => {})`,
  })
  equal(closingLine(outcome), '3 passed, 0 failed, 1 skipped')
  match(outcome.notes[0] ?? '', /^slowest files: .*[ab]\.test\.mjs \d.* [ab]\.test\.mjs \d/)
})

test('a failing test is named once with its error, not again with its suite', async (t) => {
  const outcome = await fetchOutcome(t, {
    'a.test.mjs': `import { test, describe } from 'node:test'
      describe('suite', () => { test('breaks', () => { throw new Error('the reason') }); test('holds', () => {}) })`,
  })
  equal(closingLine(outcome), '1 passed, 1 failed')
  equal(outcome.failures[0]?.name, 'a.test.mjs: breaks')
  match(outcome.failures[0]?.detail ?? '', /the reason/)
})

test('a promise rejected after its test ended fails the file', async (t) => {
  const outcome = await fetchOutcome(t, {
    'a.test.mjs': `import { test } from 'node:test'
      test('looks fine', () => { setImmediate(() => { Promise.reject(new Error('forgotten')) }) })`,
  })
  equal(outcome.failed, 1)
  match(outcome.failures[0]?.detail ?? '', /unhandled rejection: Error: forgotten/)
})

test('a file that cannot be loaded fails with what it said', async (t) => {
  const outcome = await fetchOutcome(t, { 'a.test.mjs': `import './missing.mjs'` })
  equal(closingLine(outcome), '0 passed, 1 failed')
  match(outcome.failures[0]?.detail ?? '', /ERR_MODULE_NOT_FOUND/)
})

test('files that share a process count and fail as if each had its own', async (t) => {
  const outcome = await fetchOutcome(
    t,
    {
      'a.test.mjs': `import { after, before, test } from 'node:test'
        before(() => { globalThis.owner = 'a' }); after(() => { globalThis.owner = undefined })
        test('has its own start', () => { if (globalThis.owner !== 'a') throw new Error('no start') })
        test('breaks', () => { throw new Error('the reason') })`,
      'b.test.mjs': `import './missing.mjs'`,
      'c.test.mjs': `import { test } from 'node:test'
        test('begins after the end of a', () => { if (globalThis.owner) throw new Error('no end') })`,
    },
    true,
  )
  equal(closingLine(outcome), '2 passed, 2 failed')
  deepEqual(
    outcome.failures.map(({ name }) => name),
    ['a.test.mjs: breaks', 'b.test.mjs: the file as a whole'],
  )
  match(outcome.notes[0] ?? '', /^slowest files: .*[abc]\.test\.mjs \d/)
})

test('a run in which nothing ran is a failure', () => {
  equal(exitCode(nothing()), 1)
  equal(exitCode(passed()), 0)
  equal(exitCode(merge(passed(), failed('a', 'b'))), 1)
})

test('the closing line stands as CI reads it', () => {
  equal(closingLine(merge(passed(), failed('a', 'b'))), '1 passed, 1 failed')
})

test('a check with complaints is one failure that lists them all', () => {
  const outcome = toResult('imports', ['a: wrong', 'b: wrong'])
  equal(outcome.failed, 1)
  equal(outcome.failures[0]?.detail, 'a: wrong\nb: wrong')
})

test('a program that ends badly fails its check with its own words', async () => {
  const outcome = await checkByProgram(
    'x',
    process.execPath,
    ['-e', `console.error('because'); process.exit(3)`],
    {},
  )
  equal(outcome.failures[0]?.detail, 'because')
  equal((await checkByProgram('x', process.execPath, ['-e', ''], {})).passed, 1)
  equal((await checkByProgram('x', '/no/such/program', [], {})).failed, 1)
})

test('a program is stopped at its limit together with what it started', async () => {
  const stop = new AbortController()
  const ended = run(
    process.execPath,
    ['-e', `require('node:child_process').spawnSync('sleep', ['600'])`],
    {
      signal: stop.signal,
    },
  )
  stop.abort()
  equal((await ended).timed_out, true)
})

test('Vitest counts like everything else, and a file that did not load is a failure', () => {
  const outcome = readReport(
    {
      testResults: [
        {
          name: '/r/a.test.tsx',
          status: 'failed',
          assertionResults: [
            assertion('holds', 'passed'),
            assertion('breaks', 'failed'),
            assertion('waits', 'pending'),
          ],
        },
        { name: '/r/b.test.tsx', status: 'failed', message: 'cannot load', assertionResults: [] },
      ],
    },
    '/r',
  )
  equal(closingLine(outcome), '1 passed, 2 failed, 1 skipped')
  deepEqual(
    outcome.failures.map(({ name }) => name),
    ['a.test.tsx: breaks', 'b.test.tsx: the file as a whole'],
  )
})

function assertion(fullName: string, status: string) {
  return { fullName, status, failureMessages: [] }
}

test('names the command that installs a missing package, and fails only for a required one', () => {
  const here = { name: 'here', file: process.execPath, purpose: 'this test', required: true }
  const needed = { name: 'needed', file: '/no/such/file', purpose: 'browser tests', required: true }
  const { failures, notes } = packageComplaints([here, needed, { ...needed, required: false }])
  const sentence = 'needed is not installed (browser tests): run `npm run system-packages` as root.'
  deepEqual(failures, [sentence])
  deepEqual(notes, [sentence])
})

test('steps are chosen by name, by group, by file', () => {
  const names = (...args: string[]) => chooseSteps(args).steps.map(({ name }) => name)
  equal(names().length, STEPS.length)
  deepEqual(names('unit'), ['unit'])
  equal(names('checks').includes('types'), true)
  equal(names('checks').includes('unit'), false)
  deepEqual(chooseSteps(['server', 'wallet']).filters, ['wallet'])
  equal(names('wallet').includes('lint'), false)
})

test('a run names the five files that took longest, the slowest first', () => {
  const times = [1, 6, 2, 5, 3, 4].map((s) => ({ file: `${s}.test.ts`, duration_ms: s * 1000 }))
  deepEqual(slowFileNotes(times), [
    'slowest files: 6.test.ts 6.0 s, 5.test.ts 5.0 s, 4.test.ts 4.0 s, 3.test.ts 3.0 s, 2.test.ts 2.0 s',
  ])
  deepEqual(slowFileNotes(times.slice(1, 2)), [])
})

test('a long block of the event loop is named', () => {
  const delays = [
    readLoopDelay(loopDelayLine(40, 12).trim(), 'calm.test.ts'),
    readLoopDelay(loopDelayLine(900, 20).trim(), 'worst.test.ts'),
    readLoopDelay(loopDelayLine(300, 20).trim(), 'slow.test.ts'),
  ]
  deepEqual(loopDelayNotes(delays.filter((delay) => delay !== undefined)), [
    'event loop stood still at most 900 ms (worst.test.ts); worst p99.9 of a file 20 ms',
    'event loop stood still 300 ms in slow.test.ts',
  ])
  equal(readLoopDelay('something else', 'a'), undefined)
})
