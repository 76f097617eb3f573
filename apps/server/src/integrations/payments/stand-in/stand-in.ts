import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PaymentsConfig } from '../payments-config.ts'
import { standInAccess } from './access.ts'
import { controlPage, isStep, readFaults, type StandInFaults } from './control-page.ts'
import { closedPage, paymentPage } from './payment-page.ts'
import type {
  PlayedPayment,
  PlayedStep,
  SentNotice,
  PlayedPayments,
  StandInProvider,
  StandInResponse,
} from './provider.ts'
import { html, text } from './answers.ts'
import { playProviders } from './providers.ts'

const BODY_BYTES_MAX = 64 * 1024
const PAYMENTS_MAX = 10_000
/** A notice that is not taken is sent again after these waits, as providers do. */
const RETRIES_MS = [1_000, 5_000, 30_000]

export interface PaymentStandIn {
  readonly origin: string
  readonly access: PaymentsConfig['access']
  faults: StandInFaults
  payments(): readonly PlayedPayment[]
  /** Plays a step of a payment, and returns the statuses with which its notices were answered. */
  play(id: string, step: Omit<PlayedStep, 'step'>): Promise<readonly number[]>
  /** The notices of a step as they would be sent, for a test that changes or repeats them. */
  notices(id: string, step: PlayedStep): readonly SentNotice[]
  /** Sends the kept notices, the last first if `reversed`. */
  sendKept(how?: { readonly reversed?: boolean }): Promise<readonly number[]>
  close(): Promise<void>
}

interface StandInOptions {
  /** 0: any free port. */
  readonly port: number
  readonly host: string
  /** The address under which browsers reach the stand-in. */
  readonly public_origin?: string
  /** The installation whose notices are sent: `http://localhost:3000`. */
  readonly notified_origin: () => string
  /** The waits before a notice that was not taken is sent again. */
  readonly retries_ms?: readonly number[]
}

interface ControlRequest {
  readonly url: URL
  readonly body: string
  readonly isPressed: boolean
}

/**
 * A program that plays every provider of payments: their pages, their APIs and their signed notices. It is for tests and for
 * the demo installation. It knows made-up credentials only.
 */
export async function startPaymentStandIn(options: StandInOptions): Promise<PaymentStandIn> {
  const server = createServer()
  server.listen(options.port, options.host)
  await once(server, 'listening')
  server.unref()
  const { port } = server.address() as AddressInfo
  return new StandIn(server, options, options.public_origin ?? `http://${options.host}:${port}`)
}

class StandIn implements PaymentStandIn {
  readonly origin: string
  readonly access: PaymentsConfig['access']
  faults: StandInFaults = {}
  readonly #server: Server
  readonly #options: StandInOptions
  readonly #providers: ReadonlyMap<string, StandInProvider>
  readonly #payments = new Map<string, PlayedPayment>()
  readonly #kept: SentNotice[] = []
  readonly #stopped = new AbortController()
  #steps = 0

  constructor(server: Server, options: StandInOptions, origin: string) {
    this.#server = server
    this.#options = options
    this.origin = origin
    this.access = standInAccess(origin)
    this.#providers = playProviders(this.access)
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request, response).catch((error: Error) => {
        if (!response.headersSent) response.writeHead(500)
        response.end(error.message)
      })
    })
  }

  payments(): readonly PlayedPayment[] {
    return [...this.#payments.values()]
  }

  async play(id: string, step: Omit<PlayedStep, 'step'>): Promise<readonly number[]> {
    const payment = this.#payments.get(id)
    if (!payment) throw new Error(`no payment ${id}`)
    this.#steps += 1
    if (step.type !== 'pending' || payment.state === 'open') payment.state = step.type
    const notices = this.notices(id, { ...step, step: this.#steps })
    if (this.faults.keeps_notices) {
      this.#kept.push(...notices)
      return []
    }
    return this.#sendAll(notices)
  }

  notices(id: string, step: PlayedStep): readonly SentNotice[] {
    const payment = this.#payments.get(id)!
    return this.#providers.get(payment.played_by)!.notices(payment, step)
  }

  sendKept({ reversed = false } = {}): Promise<readonly number[]> {
    const kept = this.#kept.splice(0)
    return this.#sendAll(reversed ? kept.toReversed() : kept)
  }

  async close(): Promise<void> {
    this.#stopped.abort()
    this.#server.closeAllConnections()
    if (this.#server.listening) await new Promise((closed) => this.#server.close(closed))
  }

  async #sendAll(notices: readonly SentNotice[]): Promise<readonly number[]> {
    const statuses: number[] = []
    for (const notice of notices)
      for (let time = 0; time < (this.faults.repeats ?? 1); time += 1)
        statuses.push(await this.#send(notice))
    return statuses
  }

  async #send(notice: SentNotice): Promise<number> {
    const { method, url, headers, body } = notice
    const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
    await answer.arrayBuffer()
    return answer.status
  }

  /** As a provider does: again and again until the notice is taken. */
  async #sendUntilTaken(notices: readonly SentNotice[]): Promise<void> {
    const { repeats = 1 } = this.faults
    const sent = notices.flatMap((notice) => Array.from({ length: repeats }, () => notice))
    for (const notice of sent)
      for (const waitMs of [0, ...(this.#options.retries_ms ?? RETRIES_MS)]) {
        await new Promise((resolve) => setTimeout(resolve, waitMs).unref())
        if (this.#stopped.signal.aborted) return
        const status = await this.#send(notice).catch(() => 0)
        if (status >= 200 && status < 300) break
      }
  }

  /** The page of a person who plays the providers. Faults do not reach it. */
  async #control(response: ServerResponse, parts: readonly string[], of: ControlRequest) {
    const [what, id = ''] = parts
    const { url, body, isPressed } = of
    if (!isPressed) {
      const shown = { faults: this.faults, kept: this.#kept.length }
      return send(response, html(controlPage(this.payments(), shown)))
    }
    const step = url.searchParams.get('type') ?? ''
    if (what === 'faults') this.faults = readFaults(body)
    else if (what === 'kept')
      await this.sendKept({ reversed: url.searchParams.has('reversed') }).catch(() => [])
    else if (what === 'steps' && isStep(step) && this.#payments.has(id))
      await this.play(id, { type: step }).catch(() => [])
    else return send(response, text(404, 'Nothing here'))
    response.writeHead(303, { location: '/' }).end()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.origin)
    const body = await readBody(request)
    const [, first = '', ...rest] = url.pathname.split('/')
    const isPressed = request.method === 'POST'
    // A page of another site may not press a button here.
    const isForeign = isPressed && request.headers['sec-fetch-site'] === 'cross-site'
    if (isForeign) return send(response, text(403, 'Not from another site'))
    if (first === '' || first === 'control')
      return this.#control(response, rest, { url, body, isPressed })
    if (this.faults.is_down) return send(response, text(503, 'The stand-in is switched off'))
    if (first === 'pay') return this.#page(response, rest[0] ?? '', url, isPressed)
    const provider = this.#providers.get(first)
    if (!provider) return send(response, text(404, 'Nothing here'))
    const answer = provider.handle(
      {
        method: request.method ?? 'GET',
        path: `/${rest.join('/')}`,
        query: url.search.slice(1),
        body,
        headers: request.headers,
      },
      this.#playedPayments(first, provider.method),
    )
    if (!answer) return send(response, text(404, 'Nothing here'))
    if ('redirect' in answer) {
      response.writeHead(303, { location: answer.redirect }).end()
      return
    }
    send(response, answer)
  }

  /** The page of a payment. A press sends the notices and then the browser home. */
  #page(response: ServerResponse, id: string, url: URL, isPressed: boolean): void {
    const payment = this.#payments.get(id)
    if (!payment) return send(response, text(404, 'No such payment'))
    if (!isPressed || payment.state !== 'open')
      return send(
        response,
        html(payment.state === 'open' ? paymentPage(payment) : closedPage(payment)),
      )
    const isPaid = url.searchParams.get('press') === 'pay'
    payment.state = isPaid ? 'paid' : 'failed'
    if (isPaid && this.faults.pays_less) Object.assign(payment, { amount: payment.amount - 1n })
    this.#steps += 1
    const notices = this.notices(id, { type: isPaid ? 'paid' : 'failed', step: this.#steps })
    if (this.faults.keeps_notices) this.#kept.push(...notices)
    else void this.#sendUntilTaken(notices)
    response.writeHead(303, { location: isPaid ? payment.success_url : payment.failure_url }).end()
  }

  #playedPayments(provider: string, method: string): PlayedPayments {
    return {
      notify_url: `${this.#options.notified_origin()}/api/payment/notify/${method}`,
      home_url: `${this.#options.notified_origin()}/`,
      datalink_code: this.faults.datalink_code,
      byId: (id) => this.#payments.get(id),
      byNumber: (number) => this.payments().find((payment) => payment.number === number),
      byReference: (reference) =>
        this.payments().findLast((payment) => payment.reference === reference),
      open: (opened) => {
        const [oldest] = this.#payments.keys()
        if (this.#payments.size >= PAYMENTS_MAX && oldest !== undefined)
          this.#payments.delete(oldest)
        const id = randomBytes(8).toString('hex')
        const number = BigInt(`0x${id.slice(0, 12)}`).toString()
        const payment: PlayedPayment = {
          ...opened,
          id,
          number,
          method,
          played_by: provider,
          state: 'open',
        }
        this.#payments.set(id, payment)
        return { payment, page_url: `${this.origin}/pay/${id}` }
      },
    }
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > BODY_BYTES_MAX) throw new Error('too much')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function send(response: ServerResponse, { status, content_type, body }: StandInResponse): void {
  response.writeHead(status, { 'content-type': `${content_type}; charset=utf-8` }).end(body)
}
