import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { App } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { CommandArguments, OperatorCommand } from '../../core/module.ts'
import { wireTime } from '../../lib/clock.ts'
import { CommandRefused } from '../../platform/operator/commands.ts'
import type { Entry } from './chain.ts'
import {
  allEntries,
  exportedLine,
  PAGE_ROWS,
  readEntries,
  type SearchedEntries,
  verifyChain,
} from './queries.ts'
import { compareKeptHead, keepHead, type KeptHead } from './kept-head.ts'
import { verifyLog } from './verify-log.ts'
import { shellActor, writeAudit } from './write-audit.ts'

const LISTED_MAX = 100
const HASH = /^[0-9a-f]{64}$/

function readNumber(name: string, given: string | true | undefined): number | undefined {
  if (given === undefined) return undefined
  const number = Number(given)
  if (given !== true && Number.isSafeInteger(number)) return number
  throw new CommandRefused(`--${name} is a number.`)
}

function readTime(name: string, given: string | true | undefined): Temporal.Instant | undefined {
  if (given === undefined) return undefined
  try {
    return Temporal.Instant.from(String(given))
  } catch {
    throw new CommandRefused(`--${name} is a time like 2026-12-31T20:00:00Z.`)
  }
}

function readAsked({ options }: CommandArguments): SearchedEntries {
  const text = (given: string | true | undefined) => (given === true ? undefined : given)
  return {
    before: readNumber('before', options.before),
    staff_id: readNumber('staff', options.staff),
    user_id: readNumber('user', options.user),
    operator: text(options.operator),
    act: text(options.act),
    from: readTime('from', options.from),
    to: readTime('to', options.to),
  }
}

const printed = ({ at, ...entry }: Entry) => ({ ...entry, at: wireTime(at) })

function readHead({ options: { head } }: CommandArguments): string | undefined {
  if (head !== undefined && (head === true || !HASH.test(head)))
    throw new CommandRefused('--head is a hash that an earlier check or export printed.')
  return head
}

/** The whole log, one entry in each line as it was hashed; the chain is verified on the way. */
async function exportTo(app: App, given: CommandArguments) {
  const [name] = given.words
  if (!name) throw new CommandRefused('Name the file that the entries are written to.')
  const head = readHead(given)
  const file = resolve(given.cwd, name)
  // An existing file may belong to another account, and its mode would stay.
  const handle = await open(file, 'wx', 0o600).catch(() => {
    throw new CommandRefused(`${file} cannot be created, or exists.`)
  })
  try {
    const entries = (db: Db) => writeLines(allEntries(db), handle)
    const verified = await app.onDedicatedConnection((db) => verifyChain(entries(db), head))
    await handle.sync()
    return { file, ...verified }
  } finally {
    await handle.close()
  }
}

/** Accepts the present end of the log. The entry about this act becomes the end that is kept. */
async function acceptEnd(app: App, given: CommandArguments): Promise<{ kept_head: KeptHead }> {
  const { comment } = given.options
  if (typeof comment !== 'string' || comment.trim() === '')
    throw new CommandRefused('Say with --comment why the end of the log is another one.')
  const kept_head = await compareKeptHead(app, app.db)
  await app.transact((tx) =>
    writeAudit(tx, {
      staff: shellActor(given),
      act: 'audit_end_accept',
      reason: comment,
      facts: { kept_head },
    }),
  )
  await keepHead(app, { accepts_loss: true })
  return { kept_head }
}

async function* writeLines(entries: AsyncIterable<Entry>, handle: FileHandle) {
  let lines: string[] = []
  const flush = async () => {
    await handle.appendFile(lines.join(''))
    lines = []
  }
  for await (const entry of entries) {
    lines.push(exportedLine(entry))
    if (lines.length === PAGE_ROWS) await flush()
    yield entry
  }
  await flush()
}

export const commands: Readonly<Record<string, OperatorCommand>> = {
  'audit list': {
    args: '[--staff ID] [--operator NAME] [--act ACT] [--user ID] [--from TIME] [--to TIME] [--before ENTRY_ID]',
    summary: `Acts of staff, the newest ${LISTED_MAX}; --before shows older ones.`,
    run: async (app, given) =>
      (await readEntries(app.db, readAsked(given), LISTED_MAX)).map(printed),
  },
  'audit verify': {
    args: '[--head HASH]',
    summary:
      'Finds every changed, missing or inserted entry, and a cut-off end by the end that is kept with the files, or by --head: { ok, entries, head, faults, kept_head }.',
    run: (app, given) => verifyLog(app, readHead(given)),
  },
  'audit accept-end': {
    args: '--comment TEXT',
    summary:
      'After a restore: the present end of the log is true, though the end that was kept with the files is not in it.',
    run: acceptEnd,
  },
  'audit export': {
    args: 'FILE [--head HASH]',
    summary: 'Writes every entry as a line of JSON to a new file; { file, ok, entries, head }.',
    run: exportTo,
  },
}
