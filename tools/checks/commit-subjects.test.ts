import { deepEqual, equal, match } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { commitSubjectComplaints, subjectComplaints } from './commit-subjects.ts'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'duet-commits-'))
  t.after(() => rmSync(path, { recursive: true }))
  return path
}

test('a subject names its area and says what changes in 60 characters', () => {
  deepEqual(subjectComplaints('calls: Re-arm the wake-up timer after it fires'), [])
  match(subjectComplaints(`calls: ${'Re-arm '.repeat(9)}`)[0] ?? '', /characters/)
  equal(subjectComplaints('Re-arm the timer').length, 1)
  equal(subjectComplaints('calls: re-arm the timer').length, 1)
  equal(subjectComplaints('calls: Re-arm the timer.').length, 1)
  match(subjectComplaints('calls: Set the timer a' + 'new')[0] ?? '', /again/)
})

test('reads the commits of a clone with one commit, and none where there is no git', (t) => {
  const root = folder(t)
  deepEqual(commitSubjectComplaints(root), [])
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: root })
  git('init', '-q')
  deepEqual(commitSubjectComplaints(root), [])
  git('commit', '-q', '--allow-empty', '-m', 'nobody knows')
  equal(commitSubjectComplaints(root).length, 2)
})
