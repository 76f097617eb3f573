import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** Answers like LibreTranslate: a translation is the text with its language in front, of a text in Portuguese. */
export interface LibreTranslateStandIn extends AsyncDisposable {
  readonly url: string
  /** The bodies of all requests. */
  readonly requests: Readonly<Record<string, string>>[]
  status: number
  confidence: number
  /** Replaces the body of successful answers. */
  body: string | undefined
  /** Changes the translated text. */
  translate: (q: string) => string
  /** Runs before each answer. */
  before: (body: Readonly<Record<string, string>>) => Promise<void>
}

export async function startLibreTranslate({
  key,
}: { readonly key?: string } = {}): Promise<LibreTranslateStandIn> {
  const server = createServer((request, response) => {
    void (async () => {
      const body = JSON.parse(await text(request)) as Record<string, string>
      standIn.requests.push(body)
      await standIn.before(body)
      const isKnown = key === undefined || body.api_key === key
      response.writeHead(isKnown ? standIn.status : 403, { 'content-type': 'application/json' })
      response.end(isKnown && standIn.status === 200 ? answerTo(body) : '{"error":"no"}')
    })()
  })
  const answerTo = ({ q = '', target }: Record<string, string>) =>
    standIn.body ??
    JSON.stringify({
      translatedText: `[${target}] ${standIn.translate(q)}`,
      detectedLanguage: { confidence: standIn.confidence, language: 'pt' },
    })
  const listening = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  const standIn: LibreTranslateStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    status: 200,
    confidence: 90,
    body: undefined,
    translate: (q) => q,
    before: async () => {},
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>()
      server.closeAllConnections()
      server.close(() => closed.resolve())
      await closed.promise
    },
  }
  return standIn
}
