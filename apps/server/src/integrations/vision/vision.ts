import type { NoAnswer } from './model-thread.ts'

/** How likely a picture shows nudity, by one model. */
export interface Judgement {
  /** From 0 to 1. */
  readonly nudity: number
  readonly model: string
  /** Of the package that has the model: the same picture gets the same number from the same version. */
  readonly version: string
}

/** Judges pictures of users. It says nothing about who is shown, and nothing about an age. */
export interface PictureJudge {
  /** `sample` is `ProcessedImage.sample`. */
  judge(sample: Uint8Array): Promise<Judgement | NoAnswer>
}
