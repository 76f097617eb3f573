/** An upload is as slow as the user's network. Only an upload without progress has failed. */
const SILENCE_MS = 60_000

export interface FormUpload {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: FormData
  /** The part of the form that has been sent, from 0 to 1. */
  readonly onProgress: (share: number) => void
  readonly signal?: AbortSignal | undefined
}

export interface UploadResponse {
  readonly ok: boolean
  readonly status: number
  readonly statusText: string
  json(): Promise<unknown>
}

/** POST of a form with its progress, which `fetch` does not report. Rejects when no answer came or it was aborted. */
export function sendForm(upload: FormUpload): Promise<UploadResponse> {
  const { url, headers, body, onProgress, signal } = upload
  const { promise, resolve, reject } = Promise.withResolvers<UploadResponse>()
  const request = new XMLHttpRequest()
  let timer: ReturnType<typeof setTimeout> | undefined
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => request.abort(), SILENCE_MS)
  }
  request.open('POST', url)
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    heard()
    if (total > 0) onProgress(loaded / total)
  })
  request.addEventListener('load', () => resolve(getResponse(request)))
  for (const type of ['error', 'abort', 'timeout'])
    request.addEventListener(type, () => reject(new Error(`the upload ended by ${type}`)))
  signal?.addEventListener('abort', () => request.abort())
  heard()
  request.send(body)
  return promise.finally(() => clearTimeout(timer))
}

function getResponse({ status, statusText, responseText }: XMLHttpRequest): UploadResponse {
  return {
    ok: status >= 200 && status < 300,
    status,
    statusText,
    json: async () => JSON.parse(responseText) as unknown,
  }
}
