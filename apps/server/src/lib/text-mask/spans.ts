import type { Skeleton } from './folding.ts'

/** A part of a text that is masked. */
export type Span = readonly [start: number, end: number]

export function found(text: string, pattern: RegExp): Span[] {
  return findMatches(text, pattern).map(({ index, 0: { length } }) => [index, index + length])
}

/** `matchAll` copies the pattern for each text. In a short text the copy costs more than the search. */
export function findMatches(text: string, pattern: RegExp): RegExpExecArray[] {
  const matches: RegExpExecArray[] = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    matches.push(match)
    if (match[0] === '') pattern.lastIndex += 1
  }
  return matches
}

/** The parts of the original that parts of its skeleton stand for. */
export function inOriginal({ from }: Skeleton, spans: readonly Span[]): Span[] {
  return spans.map(([start, end]) => [from[start]!, from[end]!])
}

/** In order, and without overlaps. */
export function merged(spans: readonly Span[]): Span[] {
  const kept: [number, number][] = []
  for (const [start, end] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = kept.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else if (end > start) kept.push([start, end])
  }
  return kept
}

const STARS = '***'

export function starred(original: string, spans: readonly Span[]): string {
  let text = ''
  let at = 0
  for (const [start, end] of spans) {
    text += `${original.slice(at, start)}${STARS}`
    at = end
  }
  return text + original.slice(at)
}

/** Where the stars stand that take the place of parts of a text. */
export function toStars(spans: readonly Span[]): Span[] {
  let shift = 0
  return spans.map(([start, end]) => {
    const at = start + shift
    shift += STARS.length - (end - start)
    return [at, at + STARS.length]
  })
}
