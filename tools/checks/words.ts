/**
 * Words that comments, documents, test names, sentences and commit subjects do not use. Each word has a
 * plain replacement. Most of the words mark a sentence without a subject.
 */
import { type Prose, findProse } from '../source/prose.ts'
import type { Tree } from '../tree.ts'

interface AvoidedWord {
  readonly pattern: RegExp
  readonly instead: string
}

const AVOIDED: readonly AvoidedWord[] = [
  {
    pattern: /\bwho(?:so)?ever\b|\bwhom(?:so)?(?:ever)?\b/i,
    instead: 'name the user, the guy, the girl, the client',
  },
  { pattern: /\b(?:some|no)body\b/i, instead: 'name the user, the guy, the girl, the client' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bfor ever\b/i, instead: 'permanently, without a limit' },
  { pattern: /\bso many\b/i, instead: 'give the number or its name: up to N' },
  { pattern: /\b(?:let|lets|letting) go\b/i, instead: 'release, cancel, end' },
]

/** A comment that begins so has no subject. A question may. */
const HEADLESS = /^(?:who|whose|whom|whoever|what|whatever|which|whichever)\b(?![^.]*\?)/i

/** These files quote the words. */
const QUOTES = /^tools\/(checks\/words(\.test)?|prose-figures)\.ts$/

export function WORD_FILES(path: string): boolean {
  return !QUOTES.test(path) && !/(^|\/)(LICENSE|CHANGELOG)/.test(path)
}

export function wordComplaints(tree: Tree): string[] {
  return [...tree].flatMap(([path, text]) => findProse(path, text).flatMap(complaintsAbout))
}

/** What is wrong with one sentence, without its place. */
export function avoidedWords(text: string): string[] {
  return AVOIDED.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(text)?.[0]
    return found === undefined ? [] : [`"${found}": ${instead}`]
  })
}

function complaintsAbout({ kind, path, line, text }: Prose): string[] {
  const words = avoidedWords(text)
  if (kind === 'comment' && HEADLESS.test(text))
    words.push(`the comment begins with "${text.split(' ')[0]}" and has no subject`)
  return words.map((word) => `${path}:${line}: ${word}`)
}
