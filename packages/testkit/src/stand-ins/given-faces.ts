import {
  FACE_DISTANCE_MAX,
  faceDistance,
  type FaceLook,
  type FaceReader,
} from '@duet/server/integrations/faces/faces.ts'
import type { NoAnswer } from '@duet/server/integrations/vision/model-thread.ts'
import type { RawPicture } from '@duet/server/integrations/images/images.ts'

const LIGHT = 250

/** The colour of a picture is the face in it. In a black picture is none, in a white picture are many. */
export class GivenFaces implements FaceReader {
  readonly distance_max = FACE_DISTANCE_MAX
  readonly distance = faceDistance
  /** How many pictures it was asked about. */
  asked = 0
  /** The next pictures cannot be looked at. */
  unavailable: NoAnswer | undefined
  /** Happens while it looks at a picture. */
  beforeLook: (() => Promise<unknown>) | undefined

  async look({ pixels }: RawPicture): Promise<FaceLook | NoAnswer> {
    this.asked += 1
    await this.beforeLook?.()
    return this.unavailable ?? lookAt([...pixels.subarray(0, 3)])
  }
}

function lookAt(colour: number[]): FaceLook {
  if (colour.every((channel) => channel < 255 - LIGHT)) return 'none'
  if (colour.every((channel) => channel > LIGHT)) return 'many'
  const face = colour.map((channel) => channel / 255)
  return { face, mirrored: face.toReversed() }
}
