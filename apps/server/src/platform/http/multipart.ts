import type { FastifyRequest } from 'fastify'
import type { UploadedFile } from '../../core/request-context.ts'
import { Refusal, refuse } from '../../lib/refusal.ts'
import { discardRest } from './end-of-answer.ts'

interface MultipartForm {
  readonly body: Record<string, string>
  readonly files: ReadonlyMap<string, UploadedFile>
}

interface FormLimits {
  readonly file_bytes_max: number
  /** Learns of the bytes of files as they arrive; what it throws ends the form. */
  readonly onBytes: (bytes: number) => void
}

/** The fields and files of a multipart request, in memory. Their number is limited where the parser is registered. */
export async function readFiles(
  request: FastifyRequest,
  expected: readonly string[],
  { file_bytes_max, onBytes }: FormLimits,
): Promise<MultipartForm> {
  const body: Record<string, string> = Object.create(null) as Record<string, string>
  const files = new Map<string, UploadedFile>()
  try {
    for await (const part of request.parts({ limits: { fileSize: file_bytes_max } })) {
      if (part.type === 'field') {
        body[part.fieldname] = String(part.value)
        continue
      }
      const bytes = await readBytes(part.file, onBytes)
      if (part.file.truncated) refuse('too_large')
      if (expected.includes(part.fieldname))
        files.set(part.fieldname, { filename: part.filename, mimetype: part.mimetype, bytes })
    }
  } catch (error) {
    discardRest(request.raw)
    if (error instanceof Refusal) throw error
    const { code } = error as { code?: string }
    refuse(code?.endsWith('_LIMIT') || code === 'FST_REQ_FILE_TOO_LARGE' ? 'too_large' : 'invalid')
  }
  return { body: { ...body }, files }
}

async function readBytes(
  file: AsyncIterable<Buffer>,
  onBytes: FormLimits['onBytes'],
): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of file) {
    onBytes(chunk.length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
