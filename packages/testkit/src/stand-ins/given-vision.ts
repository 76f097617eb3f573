import type { Judgement, PictureJudge } from '@duet/server/integrations/vision/vision.ts'

/** Judges every picture as the test says; the default is that there is nothing to see. */
export class GivenVision implements PictureJudge {
  /** The next answers are this. */
  answer: Judgement | 'busy' | 'failed' = judged(0)
  /** The answers before it, the first one first. */
  readonly firstAnswers: Judgement[] = []
  /** How many pictures it was asked about. */
  asked = 0

  /** The next pictures get these scores, in this order. */
  set scores(scores: readonly number[]) {
    this.firstAnswers.push(...scores.map(judged))
  }

  set nudity(nudity: number) {
    this.answer = judged(nudity)
  }

  judge(): Promise<Judgement | 'busy' | 'failed'> {
    this.asked += 1
    return Promise.resolve(this.firstAnswers.shift() ?? this.answer)
  }
}

function judged(nudity: number): Judgement {
  return { nudity, model: 'given', version: '1' }
}
