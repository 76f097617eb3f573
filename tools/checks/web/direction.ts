/**
 * Arabic and Persian mirror the page, so layout uses start and end instead of left and right. Something
 * truly physical (a gesture, a picture's own side) says so on its line or the line above: `physical: why`.
 */
import type { Tree } from '../../tree.ts'

const EXCUSE = /physical: \S/
const STRINGS = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g

/** Tailwind's physical classes, alone or behind variants (`md:hover:-ml-2`). */
const CLASS =
  /(?<=^|[\s'"`:])-?(?:m[lr]|p[lr]|scroll-m[lr]|scroll-p[lr]|left|right)-(?:\[[^\]\s]+\]|\([^)\s]+\)|\d[\d./]*|px|auto|full|screen)(?=$|[\s'"`!])|(?<=^|[\s'"`:])(?:text|float|clear|origin|object|bg)-(?:left|right)(?=$|[\s'"`!])|(?<=^|[\s'"`:])(?:border-[lr]|rounded-(?:[lr]|tl|tr|bl|br))(?=$|[-\s'"`!])/g

const CSS_PROPERTY =
  /(?<=^|[\s;{])(?:(?:scroll-)?(?:margin|padding)-(?:left|right)|border-(?:left|right)(?:-\w+)?|border-(?:top|bottom)-(?:left|right)-radius|left|right)\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)\b/g

const STYLE_PROP =
  /\b(?:margin|padding)(?:Left|Right)\s*:|\bborder(?:Left|Right)(?:Width|Color|Style)?\s*:|\btextAlign\s*:\s*['"](?:left|right)['"]/g

export function DIRECTION_FILES(path: string): boolean {
  return (
    /^(apps\/(web|office)|packages\/ui)\/.*\.(tsx|ts|css)$/.test(path) &&
    !/\.(test\.tsx?|gen\.\w+)$/.test(path)
  )
}

export function directionComplaints(tree: Tree): string[] {
  return [...tree].flatMap(([path, text]) => {
    const lines = text.split('\n')
    return findings(path, text)
      .map(({ at, found }) => ({ line: text.slice(0, at).split('\n').length, found }))
      .filter(
        ({ line }) => !EXCUSE.test(lines[line - 1] ?? '') && !EXCUSE.test(lines[line - 2] ?? ''),
      )
      .map(
        ({ line, found }) =>
          `${path}:${line}: "${found}" is physical; say it with start and end (or write \`physical: why\`)`,
      )
  })
}

function findings(path: string, text: string): { at: number; found: string }[] {
  if (path.endsWith('.css')) return matches(text, CSS_PROPERTY, 0).concat(matches(text, CLASS, 0))
  const inStrings = [...text.matchAll(STRINGS)].flatMap((string) =>
    matches(string[0], CLASS, string.index),
  )
  return path.endsWith('.tsx') ? inStrings.concat(matches(text, STYLE_PROP, 0)) : inStrings
}

function matches(text: string, pattern: RegExp, offset: number): { at: number; found: string }[] {
  return [...text.matchAll(pattern)].map((match) => ({
    at: offset + match.index,
    found: match[0].trim(),
  }))
}
