/** Subjects of commits: `area: What changes`, at most 60 characters, without avoided words. */
import { spawnSync } from 'node:child_process'
import { ROOT } from '../tree.ts'
import { avoidedWords } from './words.ts'

const SUBJECT_CHARACTERS_MAX = 60
/** Older commits were written before the rule. */
const RULE_SINCE = '2026-11-22T00:00:00Z'
const COMMITS_READ = 300
const FORM = /^[a-z][a-z0-9-]*(, [a-z][a-z0-9-]*)*: [A-Z0-9`"].*[^.]$/

/** Works in a shallow clone and in one of a single commit; a folder without git has no commits. */
export function commitSubjectComplaints(root = ROOT): string[] {
  const log = spawnSync(
    'git',
    ['log', `-${COMMITS_READ}`, '--no-merges', `--since-as-filter=${RULE_SINCE}`, '--format=%h %s'],
    { cwd: root, encoding: 'utf8' },
  )
  if (log.status !== 0) return []
  return log.stdout
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => {
      const [commit = '', ...words] = line.split(' ')
      return subjectComplaints(words.join(' ')).map((complaint) => `${commit}: ${complaint}`)
    })
}

export function subjectComplaints(subject: string): string[] {
  const complaints = avoidedWords(subject)
  if (subject.length > SUBJECT_CHARACTERS_MAX)
    complaints.push(
      `"${subject}" has ${subject.length} characters, ${SUBJECT_CHARACTERS_MAX} are the budget`,
    )
  if (!FORM.test(subject)) complaints.push(`"${subject}" is not of the form "area: What changes"`)
  return complaints
}
