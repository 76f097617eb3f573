/**
 * The processor time that the masking of contacts takes for texts of 2,000 characters in each script. The baseline is
 * the least work of a mask: one normalisation of the same text (NFKC, lower case) and one regular expression that names
 * three contacts. Also measures texts of up to 32,000 characters and texts that attack patterns. Goal: at most 1 ms for
 * 2,000 characters.
 */
import {
  listContacts,
  corpusWords,
  listHarmless,
  type Script,
  scripts,
} from '@duet/testkit/masking-corpus/build-corpus.ts'
import { maskText } from '@duet/server/lib/text-mask.ts'
import { randomFrom } from '@duet/testkit/seeded-random.ts'

const CHARACTERS = 2000
const LONGER = 16
const TEXTS = 800
const ROUNDS = 400

const random = randomFrom(7)
const texts = new Map<string, string>()
for (const script of Object.keys(scripts) as Script[]) {
  texts.set(`${script}, harmless`, joined(listHarmless(script, 'known', random, TEXTS)))
  texts.set(`${script}, contacts`, joined(listContacts(script, 'known', random, TEXTS)))
}
for (const attack of ['1 ', 'a.', 'a@', 'aa at ', '(', 'one', 'telegra', 'moc.', 'а1', '一'])
  texts.set(`attack ${JSON.stringify(attack)}`, attack)

function joined(parts: readonly { readonly text: string }[]): string {
  return parts.map(({ text }) => text).join(' ')
}

/**
 * The mean processor time of the thread: the time on the clock includes other processes. The kernel counts processor
 * time in steps of some milliseconds, so only the mean of many runs is exact.
 */
function meanMs(times: number, measure: () => void): number {
  const began = process.threadCpuUsage()
  for (let round = 0; round < times; round += 1) measure()
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1000 / times
}

const BASELINE =
  /(?:https?:\/\/|www\.)\S{1,500}|[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,64}\.\p{L}{2,}|\d(?:[ .-]?\d){7,14}/gu
function maskedSimply(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(BASELINE, '***')
}

const mask = (one: string) => maskText(one, { words: corpusWords })
for (const [name, part] of texts) {
  const text = part.repeat(Math.ceil((CHARACTERS * LONGER) / part.length))
  const short = text.slice(0, CHARACTERS)
  const long = text.slice(0, CHARACTERS * LONGER)
  meanMs(ROUNDS, () => mask(short))
  const bare = meanMs(ROUNDS * 4, () => maskedSimply(short))
  const own = meanMs(ROUNDS, () => mask(short))
  const growth = meanMs(ROUNDS / 10, () => mask(long)) / own
  console.log(
    `${name}: ${own.toFixed(2)} ms, ${(own / bare).toFixed(1)}x the baseline of ${bare.toFixed(3)} ms; ${LONGER} times the text ${growth.toFixed(1)}x`,
  )
}
