/**
 * The masking of contacts in texts of 2,000 characters of each script, beside the normalisation of the same text (NFKC), and
 * its growth to 32,000 characters, also for texts that attack patterns. Goal: 1 ms for 2,000 characters.
 */
import { performance } from 'node:perf_hooks'
import {
  contactsOf,
  corpusWords,
  harmlessOf,
  type Script,
  scripts,
} from '@duet/server/lib/text-mask/corpus/build-corpus.ts'
import { maskText } from '@duet/server/lib/text-mask.ts'
import { randomFrom } from '@duet/testkit/seeded-random.ts'
import { median } from './figures/median.ts'

const CHARACTERS = 2000
const LONGER = 16
const ROUNDS = 200

const random = randomFrom(7)
const texts = new Map<string, string>()
for (const script of Object.keys(scripts) as Script[]) {
  texts.set(`${script}, harmless`, joined(harmlessOf(script, 'tuned', random)))
  texts.set(`${script}, contacts`, joined(contactsOf(script, 'tuned', random)))
}
for (const attack of ['1 ', 'a.', 'a@', 'aa at ', '(', 'one', 'telegra', 'moc.', 'а1', '一'])
  texts.set(`attack ${JSON.stringify(attack)}`, attack)

function joined(parts: readonly { readonly text: string }[]): string {
  return parts.map(({ text }) => text).join(' ')
}

function medianOf(times: number, measure: () => void): number {
  const measured: number[] = []
  for (let round = 0; round < times; round += 1) {
    const began = performance.now()
    measure()
    measured.push(performance.now() - began)
  }
  return median(measured)
}

for (const [name, part] of texts) {
  const text = part.repeat(Math.ceil((CHARACTERS * LONGER) / part.length))
  const short = text.slice(0, CHARACTERS)
  const mask = (one: string) => () => maskText(one, { words: corpusWords })
  const bare = medianOf(ROUNDS, () => short.normalize('NFKC').toLowerCase())
  const own = medianOf(ROUNDS, mask(short))
  const long = medianOf(ROUNDS / 10, mask(text.slice(0, CHARACTERS * LONGER)))
  console.log(
    `${name}: ${own.toFixed(2)} ms, ${(own / bare).toFixed(0)}x NFKC; ${LONGER} times the text ${(long / own).toFixed(1)}x`,
  )
}
