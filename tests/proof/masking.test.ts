import { ok } from 'node:assert/strict'
import { test } from 'node:test'
import {
  listContacts,
  corpusWords,
  listHarmless,
  type LabelledText,
  type Script,
  scripts,
} from '@duet/testkit/masking-corpus/build-corpus.ts'
import type { Half } from '@duet/testkit/masking-corpus/disguises.ts'
import { maskText } from '@duet/server/lib/text-mask.ts'
import { randomFrom, testSeed } from '@duet/testkit/seeded-random.ts'

/** Goal X11. The long form by `npm run proof masking`. */
const isLong = process.env.PROOF === 'long'
const CONTACTS = isLong ? 50_000 : 5_000
const HARMLESS = isLong ? 500_000 : 50_000

const RECALL_MIN = 0.98
const FALSE_ALARMS_MAX = 0.005
const PRINTED_MAX = 12
const isMasked = ({ text }: LabelledText) => maskText(text, { words: corpusWords }).masked
const percent = (share: number) => `${(share * 100).toFixed(2)} %`

interface Figures {
  readonly contacts: number
  readonly harmless: number
  readonly missed: readonly LabelledText[]
  readonly alarms: readonly LabelledText[]
}

const names = Object.keys(scripts) as Script[]
const languages = Object.values(scripts).flat().length

/** The share of a script in both halves is that of its languages. */
function getCount(script: Script, all: number): number {
  return Math.ceil((all / 2 / languages) * scripts[script].length)
}

function getFigures(script: Script, half: Half): Figures {
  const random = randomFrom(testSeed())
  const contacts = listContacts(script, half, random, getCount(script, CONTACTS))
  const harmless = listHarmless(script, half, random, getCount(script, HARMLESS))
  return {
    contacts: contacts.length,
    harmless: harmless.length,
    missed: contacts.filter((one) => !isMasked(one)),
    alarms: harmless.filter(isMasked),
  }
}

test('of disguised contacts at least 98 % are masked, of harmless texts at most 0.5 %, in every script', async (context) => {
  for (const half of ['known', 'hidden'] as const) {
    const all = names.map((script) => [script, getFigures(script, half)] as const)
    const sum = together(all.map(([, figures]) => figures))
    for (const [name, figures] of [...all, ['all', sum] as const])
      await context.test(`${name}, ${half}`, (part) =>
        judge(`${name}, ${half}`, figures, part.diagnostic.bind(part)),
      )
  }
})

function together(all: readonly Figures[]): Figures {
  return {
    contacts: all.reduce((sum, one) => sum + one.contacts, 0),
    harmless: all.reduce((sum, one) => sum + one.harmless, 0),
    missed: all.flatMap((one) => one.missed),
    alarms: all.flatMap((one) => one.alarms),
  }
}

function judge(
  name: string,
  { contacts, harmless, missed, alarms }: Figures,
  print: (line: string) => void,
): void {
  const recall = 1 - missed.length / contacts
  const falseAlarms = alarms.length / harmless
  print(
    `${name}: recall ${percent(recall)} of ${contacts}, false alarms ${percent(falseAlarms)} of ${harmless}`,
  )
  const printed = [
    ...missed.slice(0, PRINTED_MAX).map((one) => ['missed', one] as const),
    ...alarms.slice(0, PRINTED_MAX).map((one) => ['false alarm', one] as const),
  ]
  if (!name.startsWith('all'))
    for (const [what, { language, label, text }] of printed)
      print(`${what}: ${language}: ${label}: ${JSON.stringify(text)}`)
  ok(recall >= RECALL_MIN, `recall ${percent(recall)}`)
  ok(falseAlarms <= FALSE_ALARMS_MAX, `false alarms ${percent(falseAlarms)}`)
}
