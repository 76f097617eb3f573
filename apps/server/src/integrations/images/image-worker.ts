/**
 * The process that decodes pictures of users. A fault of a decoder ends this process instead of the server.
 * The process starts without environment variables, and may not write files, open connections or start
 * processes.
 */
import sharp from 'sharp'
import { encodeDocument, encodePicture } from './encode-picture.ts'
import type { EncodeOptions, ProcessedImage } from './images.ts'

export type EncodeRequest =
  | { readonly type: 'sizes'; readonly bytes: Uint8Array; readonly options: EncodeOptions }
  | { readonly type: 'document'; readonly bytes: Uint8Array }

/** The answer to a request: the picture in its sizes, or the document as one file. */
export type EncodeAnswer<Request extends EncodeRequest> =
  | (Request extends { type: 'sizes' } ? ProcessedImage : Buffer)
  | undefined

function encode(request: EncodeRequest): Promise<ProcessedImage | Buffer | undefined> {
  return request.type === 'sizes'
    ? encodePicture(request.bytes, request.options)
    : encodeDocument(request.bytes)
}

// One picture at a time: its memory is the limit of this process.
sharp.concurrency(1)
sharp.cache(false)

process.on('message', (request: EncodeRequest) => {
  void encode(request).then((encoded) => process.send?.({ encoded }))
})
process.on('disconnect', () => process.exit(0))
process.send?.({ ready: true })
