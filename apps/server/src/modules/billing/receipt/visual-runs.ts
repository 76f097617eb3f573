import bidiFactory from 'bidi-js'

// The types of the package describe its other build, where the function is the member `default`.
const bidi = (bidiFactory as unknown as typeof bidiFactory.default)()

/** Letters of one font and direction that stand together on a line. */
export interface VisualRun {
  readonly text: string
  readonly font: string
}

interface LevelRun {
  text: string
  readonly font: string
  readonly level: number
}

/** Scripts that the font library itself sets from right to left. */
const SHAPED_RTL =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/**
 * The runs of a line from left to right, in the order of the Unicode Bidirectional Algorithm. A letter that no font has, such
 * as a picture sign or a control character, is left out: an empty box says nothing.
 */
export function toVisualRuns(
  line: string,
  direction: 'ltr' | 'rtl',
  fontFor: (letter: string) => string | undefined,
): VisualRun[] {
  const { levels } = bidi.getEmbeddingLevels(line, direction)
  const runs: LevelRun[] = []
  let at = 0
  for (const letter of line) {
    const level = levels[at]!
    at += letter.length
    const font = fontFor(letter)
    if (font === undefined) continue
    const shown = level % 2 === 1 ? (bidi.getMirroredCharacter(letter) ?? letter) : letter
    const last = runs.at(-1)
    if (last?.font === font && last.level === level) last.text += shown
    else runs.push({ text: shown, font, level })
  }
  return reorder(runs).map(({ text, font, level }) => ({
    font,
    // Signs without a script are set from left to right.
    text: level % 2 === 1 && !SHAPED_RTL.test(text) ? [...text].toReversed().join('') : text,
  }))
}

/** Rule L2 of the algorithm: from the highest level on, the runs of this level and above are reversed. */
function reorder(runs: readonly LevelRun[]): LevelRun[] {
  let ordered = [...runs]
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level > 0; level -= 1) {
    const next: LevelRun[] = []
    let reversed: LevelRun[] = []
    for (const run of ordered) {
      if (run.level >= level) reversed.unshift(run)
      else {
        next.push(...reversed, run)
        reversed = []
      }
    }
    ordered = [...next, ...reversed]
  }
  return ordered
}
