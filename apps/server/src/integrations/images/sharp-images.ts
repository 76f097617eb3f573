import { createSemaphore } from '../../lib/semaphore.ts'
import { IMAGE_SIZES, type ImageProcessor } from './images.ts'
import { encodeInWorker } from './picture-workers.ts'
import { watermark } from './watermark.ts'

const CONCURRENT_MAX = 2
const WAITING_MAX = 50

/** Uses libvips in child processes: a picture that crashes a decoder does not end the server. */
export function createSharpImageProcessor(): ImageProcessor {
  const semaphore = createSemaphore({ at_once: CONCURRENT_MAX, waiting_max: WAITING_MAX })
  return {
    sizes: IMAGE_SIZES,
    encode: async (bytes, options = {}) =>
      semaphore.run(() => encodeInWorker({ type: 'sizes', bytes, options })) ?? 'busy',
    encodeDocument: async (bytes) =>
      semaphore.run(() => encodeInWorker({ type: 'document', bytes })) ?? 'busy',
    watermark,
  }
}
