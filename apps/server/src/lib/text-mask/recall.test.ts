import { ok } from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '@duet/testkit/seeded-random.ts'
import { maskText } from '../text-mask.ts'
import {
  contactsOf,
  corpusWords,
  type Half,
  harmlessOf,
  type LabelledText,
  type Script,
  scripts,
} from './corpus/build-corpus.ts'

const RECALL_MIN = 0.98
const FALSE_ALARMS_MAX = 0.005
const SEED = 20_261
const isMasked = ({ text }: LabelledText) => maskText(text, { words: corpusWords }).masked
const percent = (share: number) => `${(share * 100).toFixed(2)} %`

interface Figures {
  readonly contacts: readonly LabelledText[]
  readonly harmless: readonly LabelledText[]
  readonly missed: readonly LabelledText[]
  readonly alarms: readonly LabelledText[]
}

function figuresOf(script: Script, half: Half): Figures {
  const random = randomFrom(SEED)
  const contacts = contactsOf(script, half, random)
  const harmless = harmlessOf(script, half, random)
  return {
    contacts,
    harmless,
    missed: contacts.filter((one) => !isMasked(one)),
    alarms: harmless.filter(isMasked),
  }
}

test('of disguised contacts at least 98 % are masked, of harmless texts at most 0.5 %, in every script', async (context) => {
  for (const half of ['tuned', 'heldOut'] as const) {
    const all = (Object.keys(scripts) as Script[]).map(
      (script) => [script, figuresOf(script, half)] as const,
    )
    const sum = together(all.map(([, figures]) => figures))
    for (const [name, figures] of [...all, ['all', sum] as const])
      await context.test(`${name}, ${half === 'tuned' ? 'tuned' : 'held out'}`, (part) =>
        judge(name, figures, part.diagnostic.bind(part)),
      )
  }
})

function together(all: readonly Figures[]): Figures {
  return {
    contacts: all.flatMap((one) => one.contacts),
    harmless: all.flatMap((one) => one.harmless),
    missed: all.flatMap((one) => one.missed),
    alarms: all.flatMap((one) => one.alarms),
  }
}

function judge(
  name: string,
  { contacts, harmless, missed, alarms }: Figures,
  print: (line: string) => void,
): void {
  ok(contacts.length >= 400 && harmless.length >= 400)
  const recall = 1 - missed.length / contacts.length
  const falseAlarms = alarms.length / harmless.length
  print(
    `${name}: recall ${percent(recall)} of ${contacts.length}, false alarms ${percent(falseAlarms)} of ${harmless.length}`,
  )
  const shown = [
    ...missed.map((one) => ['missed', one] as const),
    ...alarms.map((one) => ['false alarm', one] as const),
  ]
  for (const [what, { language, label, text }] of shown)
    print(`${what}: ${language}: ${label}: ${JSON.stringify(text)}`)
  ok(recall >= RECALL_MIN, `recall ${percent(recall)}`)
  ok(falseAlarms <= FALSE_ALARMS_MAX, `false alarms ${percent(falseAlarms)}`)
}
