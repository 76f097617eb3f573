import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from '@duet/server/modules.ts'
import { retentionRules } from '@duet/server/platform/retention/retention.ts'
import { listFiles, ROOT } from '../../../tools/tree.ts'

const SERVER = 'apps/server/src/'
/** The storage deletes what it is told to delete. */
const NOT_SEARCHED = /^integrations\/storage\/|\.test\.ts$/
/** Tables whose rows are evidence or what evidence is copied from: here a change matters as a deletion does. */
const CHANGED =
  'evidence_files|complaints|message_originals|session_texts|call_frames|messages|media'
const SIGNS: readonly RegExp[] = [
  /\bdeleteFrom\(\s*'(?<table>\w+)'/gi,
  /\bdelete from (?<table>\w+|\$\{sql\.table\(table\)\})/gi,
  /\btruncate (?:table )?(?<table>\w+)/gi,
  new RegExp(`\\bupdateTable\\(\\s*'(?<changed>${CHANGED})'`, 'g'),
  new RegExp(`\\bupdate (?<changed>${CHANGED})\\b`, 'gi'),
  /\bstorage\s*\.(?<stored>put|delete)\(/g,
  /\b(?<called>removeUploads)\(/g,
]

/** Where the server deletes rows or files, or changes what may be evidence: `modules/media/store.ts: media`. */
export function deletionsInSource(): string[] {
  const found = listFiles()
    .filter((path) => path.startsWith(SERVER) && path.endsWith('.ts'))
    .map((path) => path.slice(SERVER.length))
    .filter((path) => !NOT_SEARCHED.test(path))
    .flatMap((path) => {
      const text = readFileSync(join(ROOT, SERVER, path), 'utf8')
      return SIGNS.flatMap((sign) => [...text.matchAll(sign)]).map(({ groups = {} }) => {
        const { table, changed, stored, called } = groups
        const named = table?.startsWith('$') ? 'a table that is named elsewhere' : table
        const what = named ?? called ?? (changed ? `changes ${changed}` : `storage ${stored}`)
        return `${path}: ${what}`
      })
    })
  return [...new Set(found)].toSorted()
}

export function ruleNames(): string[] {
  return retentionRules(modules)
    .map(({ name }) => name)
    .toSorted()
}

export function jobNames(): string[] {
  return modules.flatMap(({ jobs = {} }) => Object.keys(jobs)).toSorted()
}

export function outboxKinds(): string[] {
  return modules.flatMap(({ outboxHandlers = {} }) => Object.keys(outboxHandlers)).toSorted()
}
