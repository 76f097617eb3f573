/** Less sure than this is no face. */
export const SCORE_MIN = 0.3
const SMALL_SCORE_MIN = 0.65
const SMALL_WIDTH = 0.16

/** The share of the picture's width that it covers, and how sure the library is. */
interface FoundFace {
  readonly score: number
  readonly width: number
}

/** The library also finds small faces, of low score, in a picture without any: a small one has to be surer. */
export function isFace({ score, width }: FoundFace): boolean {
  return score >= (width < SMALL_WIDTH ? SMALL_SCORE_MIN : SCORE_MIN)
}
