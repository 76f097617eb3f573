import { join } from 'node:path'
import { createModelThread, type ThreadLimits } from '../vision/model-thread.ts'
import type { RawPicture } from '../images/images.ts'
import { FACE_DISTANCE_MAX, faceDistance, type FaceLook, type FaceReader } from './faces.ts'

const LIMITS: ThreadLimits = {
  worker: join(import.meta.dirname, 'face-worker.ts'),
  waiting_max: 10,
  answer_ms: 30_000,
  // The models are needed for some pictures every ten minutes; their memory is not kept between.
  idle_ms: 10_000,
}

/** Looks at one picture at a time in a thread. */
export function createWorkerFaces(limits: Partial<ThreadLimits> = {}): FaceReader {
  const ask = createModelThread<RawPicture, { found: FaceLook }>({ ...LIMITS, ...limits })
  return {
    distance_max: FACE_DISTANCE_MAX,
    distance: faceDistance,
    async look(picture) {
      const answer = await ask(picture)
      return typeof answer === 'string' ? answer : answer.found
    },
  }
}
