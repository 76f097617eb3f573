import type { RawPicture } from '../images/images.ts'
import type { NoAnswer } from '../vision/model-thread.ts'

/** One face as numbers. They are biometric data: they never enter a log, an answer or an export. */
export interface FaceNumbers {
  readonly face: readonly number[]
  /** Of the mirrored picture: a mirrored copy of a picture is a usual trick, and a face is not symmetric. */
  readonly mirrored: readonly number[]
}

/** `none` and `many`: there is not exactly one face, so the picture says nothing about its owner. */
export type FaceLook = FaceNumbers | 'none' | 'many'

/** Computes the numbers of the face in a picture. */
export interface FaceReader {
  /** Two faces within this distance are probably of one person. */
  readonly distance_max: number
  /** The distance of a face to a stored face, also mirrored. */
  distance(face: readonly number[], stored: FaceNumbers): number
  look(picture: RawPicture): Promise<FaceLook | NoAnswer>
}

/**
 * The model's authors use 0.6 for a decision between two given
 * pictures; here each new picture meets all faces of banned users, so it is stricter.
 */
export const FACE_DISTANCE_MAX = 0.42

export function faceDistance(face: readonly number[], stored: FaceNumbers): number {
  return Math.min(euclidean(face, stored.face), euclidean(face, stored.mirrored))
}

function euclidean(one: readonly number[], other: readonly number[]): number {
  let squares = 0
  for (const [at, value] of one.entries()) squares += (value - other[at]!) ** 2
  return Math.sqrt(squares)
}
