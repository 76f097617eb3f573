import type { FastifyRequest } from 'fastify'
import type { UploadedFile } from '../../core/request-context.ts'
import { refuse } from '../../lib/refusal.ts'

interface MultipartForm {
  readonly body: Record<string, string>
  readonly files: ReadonlyMap<string, UploadedFile>
}

/** The fields and files of a multipart request, in memory. Their number is limited where the parser is registered. */
export async function filesOf(
  request: FastifyRequest,
  expected: readonly string[],
  fileBytesMax: number,
): Promise<MultipartForm> {
  const body: Record<string, string> = Object.create(null) as Record<string, string>
  const files = new Map<string, UploadedFile>()
  try {
    for await (const part of request.parts({ limits: { fileSize: fileBytesMax } })) {
      if (part.type === 'field') {
        body[part.fieldname] = String(part.value)
        continue
      }
      const bytes = await part.toBuffer()
      if (expected.includes(part.fieldname))
        files.set(part.fieldname, { filename: part.filename, mimetype: part.mimetype, bytes })
    }
  } catch (error) {
    const { code } = error as { code?: string }
    refuse(code?.endsWith('_LIMIT') || code === 'FST_REQ_FILE_TOO_LARGE' ? 'too_large' : 'invalid')
  }
  return { body: { ...body }, files }
}
