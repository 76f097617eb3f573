import { deepEqual, ok } from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { endpoints } from '@duet/protocol'
import { modules } from '@duet/server/modules.ts'

/** Calls of staff that write no entry, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'POST v2/manager/claim': 'keeps a case for minutes; the case of another has an entry',
  'POST v2/manager/passkey/options': 'asks for a question and changes nothing',
  'POST v2/manager/payment-methods/preview': 'shows what guys would see and changes nothing',
  'POST v2/manager/prove': 'prolongs the own proof; each act that needs it has an entry',
  'POST v2/manager/release': 'gives the own case back, which ends by itself too',
  'POST v2/manager/translate': 'translates a text that was shown before',
}
/** They write an entry in a rare case only, so that they prove nothing about the act itself. */
const RARE_WRITERS: ReadonlySet<string> = new Set(['requireOtherPerson', 'checkBulk', 'claimCase'])

const SERVER = 'apps/server/src/modules'

interface ReadFile {
  /** The functions and constants at the top of the file, with the words of each. */
  readonly declared: ReadonlyMap<string, ReadonlySet<string>>
  /** Names from other files: the file, and the name there. */
  readonly imported: ReadonlyMap<string, readonly [string, string]>
}

const files: ReadonlyMap<string, ReadFile> = new Map(
  globSync(`${SERVER}/**/*.ts`, { exclude: ['**/*.test.ts'] }).map((file) => [
    file,
    readFile(file),
  ]),
)

function readFile(file: string): ReadFile {
  const text = readFileSync(file, 'utf8')
  const declared = new Map<string, Set<string>>()
  for (const part of text.split(/^(?=(?:export )?(?:async )?(?:function\*?|const) \w)/mu)) {
    const name = /^(?:export )?(?:async )?(?:function\*?|const) (\w+)/u.exec(part)?.[1]
    // A property of an object has the name of no function.
    if (name !== undefined) declared.set(name, new Set(part.match(/(?<![.\w])\w+/gu)))
  }
  const imported = new Map<string, readonly [string, string]>()
  for (const [, names, from] of text.matchAll(/^(?:im|ex)port \{([^}]*)\} from '(\..*)'/gmu))
    for (const each of names!.split(',')) {
      const [name = '', own = name] = each.replace('type ', '').trim().split(' as ')
      imported.set(own, [normalize(join(dirname(file), from!)), name])
    }
  return { declared, imported }
}

/** Whether the function of this file calls `writeAudit`, by itself or by functions that it names. */
function writesAudit(file: string, name: string, seen = new Set<string>()): boolean {
  if (name === 'writeAudit') return true
  const known = files.get(file)
  const key = `${file} ${name}`
  if (!known || seen.has(key) || RARE_WRITERS.has(name)) return false
  seen.add(key)
  const words = known.declared.get(name)
  if (words) return [...words].some((word) => writesAudit(file, word, seen))
  const from = known.imported.get(name)
  return from !== undefined && writesAudit(...from, seen)
}

/** The file of the module that answers with this function. */
function fileOfHandler(module: string, name: string): string | undefined {
  return [...files.keys()].find(
    (file) => file.startsWith(`${SERVER}/${module}/`) && files.get(file)!.declared.has(name),
  )
}

test('each POST of staff writes an entry of the audit log, or is a named exception', () => {
  const posts = Object.entries(endpoints).flatMap(([call, { method, credential }]) =>
    method === 'POST' && credential === 'staff' ? [call] : [],
  )
  const without = posts.filter((call) => {
    const owner = modules.find(({ endpoints: own = {} }) => call in own)
    if (!owner) return false
    const { name } = (owner.endpoints as Readonly<Record<string, () => unknown>>)[call]!
    const file = fileOfHandler(owner.name, name)
    ok(file, `${call}: its handler ${name} is a named function of its module`)
    return !writesAudit(file, name)
  })
  ok(posts.length > without.length + 30, 'the calls are read at all')
  deepEqual(without.toSorted(), Object.keys(EXCEPTIONS).toSorted())
})
