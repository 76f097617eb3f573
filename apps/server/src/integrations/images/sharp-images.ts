import { createSemaphore } from '../../lib/semaphore.ts'
import { IMAGE_SIZES, IMAGE_WIDTHS, type ImageProcessor } from './images.ts'
import { encodeInNewWorker, encodeInWorker } from './picture-workers.ts'
import { blur, decode, watermark } from './watermark.ts'

/** Of one user two may wait beside those that are decoded: a page uploads one picture after the other. */
const PICTURES = { at_once: 2, waiting_max: 50, waiting_owner_max: 2 }
/** Few accounts of one network must not keep the others from proving who they are. */
const DOCUMENTS = { at_once: 2, waiting_max: 20, waiting_owner_max: 2, waiting_group_max: 6 }

/** Uses libvips in child processes: a picture that crashes a decoder does not end the server. */
export function createSharpImageProcessor(): ImageProcessor {
  const pictures = createSemaphore(PICTURES)
  const documents = createSemaphore(DOCUMENTS)
  return {
    sizes: IMAGE_SIZES,
    widths: IMAGE_WIDTHS,
    encode: async (bytes, { owner_id, ...options } = {}) =>
      pictures.run(() => encodeInWorker({ type: 'sizes', bytes, options }), owner_id) ?? 'busy',
    encodeDocument: async (bytes, { owner_id, network }) =>
      documents.run(() => encodeInNewWorker({ type: 'document', bytes }), owner_id, network) ??
      'busy',
    watermark,
    decode,
    blur,
  }
}
