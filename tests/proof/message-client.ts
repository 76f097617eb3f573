import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { act, openSocket, type WireAnswer, type WireSocket } from '@duet/testkit/wire-client.ts'

const RETRY_MS = 40
/** A user may send 20 messages a second. */
const PAUSE_MS = 60
/** The server asks the client to wait. */
const WAITS: ReadonlySet<string> = new Set(['too_many', 'draining'])

export interface SentText {
  readonly dialog_id: number
  readonly random_id: string
  readonly text: string
}

export interface AcknowledgedText extends SentText {
  readonly message_id: number
}

interface ShownMessage {
  readonly dialog_id: number
  readonly message_id: number
}

interface Change {
  readonly change_id: number
  readonly event: string
  readonly payload: Record<string, unknown>
}

interface MessageClientOptions {
  /** Of the server. `through` is the origin of the link that leads there. */
  readonly origin: string
  readonly through: string
  readonly key: Buffer
  readonly token: string
  readonly random: () => number
}

/** Without digits: numbers of several messages together can be masked as a contact. */
export function getText(number: number): string {
  return `text ${[...String(number)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')}`
}

/**
 * A page of the messenger, without a browser. It sends text after text. A text keeps its random_id until
 * the server has acknowledged it. The page follows its change log over every loss of the connection.
 */
export class MessageClient {
  user_id = 0
  readonly acknowledged: AcknowledgedText[] = []
  /** The messages that the change log delivered, in its order. */
  readonly delivered: ShownMessage[] = []
  readonly failures: string[] = []
  readonly dialogs: number[] = []
  #unanswered: SentText | undefined
  #isSending = false
  #isOver = false
  #isBehind = true
  #change_id: number | undefined
  #wire: WireSocket | undefined
  #done = Promise.resolve()
  readonly #sent = new Map<number, number>()
  readonly #ready = Promise.withResolvers<void>()
  readonly #tab_id = randomUUID()
  readonly #of: MessageClientOptions

  constructor(of: MessageClientOptions) {
    this.#of = of
    this.#done = this.#live()
  }

  /** Resolves when the first connection has its place in the change log. */
  ready(): Promise<void> {
    return this.#ready.promise
  }

  async openDialog(interlocutor_id: number): Promise<number> {
    const answer = await this.#act('MESSENGER_START_DIALOG', { interlocutor_id })
    if ('error' in answer) throw new Error(`no dialog: ${answer.error.name}`)
    return (answer.data as { dialog_id: number }).dialog_id
  }

  start(): void {
    this.#isSending = true
  }

  /** No further texts. The last text is repeated until it is acknowledged. */
  retire(): void {
    this.#isSending = false
  }

  /** Every text is acknowledged, and the change log is read up to `messages` delivered messages. */
  isIdle(messages: number): boolean {
    return this.#unanswered === undefined && this.delivered.length >= messages
  }

  /** The network goes away for a moment. */
  drop(): void {
    this.#wire?.drop()
  }

  async close(): Promise<void> {
    this.#isOver = true
    this.#wire?.close()
    await this.#done
  }

  async #live(): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#connect()
        while (!this.#isOver && this.#wire?.socket.connected === true) {
          if (this.#isBehind) await this.#readChanges()
          await this.#sendNext()
          await sleep(PAUSE_MS)
        }
      } catch {
        // The server is down, or ended before its answer: the page tries again.
      }
      this.#wire?.close()
      if (!this.#isOver) await sleep(RETRY_MS)
    }
  }

  async #connect(): Promise<void> {
    const { origin, through } = this.#of
    const wire = await openSocket(through, '/socket.io', { origin })
    this.#wire = wire
    this.#isBehind = true
    let read = 0
    wire.onHeard(() => {
      for (; read < wire.heard.length; read += 1) this.#follow(wire.heard[read]!)
    })
    const said = {
      device_type: 'web',
      version: '2.0.1',
      tab_id: this.#tab_id,
      token: this.#of.token,
    }
    const answer = await this.#act('AUTH', said)
    if ('error' in answer) throw new Error(`refused: ${answer.error.name}`)
    const { user, change_id } = answer.data as { user: { id: number }; change_id: number }
    this.user_id = user.id
    this.#change_id ??= change_id
    this.#ready.resolve()
  }

  /** An event that is not the next one of the log shows that something is missing. */
  #follow({ event, payload }: { event: string; payload: Record<string, unknown> }): void {
    const { change_id } = (payload ?? {}) as { change_id?: number }
    if (change_id === undefined || event === 'auth_success' || this.#change_id === undefined) return
    if (this.#isBehind || change_id > this.#change_id + 1) this.#isBehind = true
    else if (change_id === this.#change_id + 1) this.#apply({ change_id, event, payload })
  }

  #apply({ change_id, event, payload }: Change): void {
    if (change_id !== this.#change_id! + 1)
      this.failures.push(`change ${change_id} after ${this.#change_id}`)
    this.#change_id = change_id
    if (event !== 'messenger_message') return
    const { dialog_id, message_id } = payload.message as ShownMessage
    this.delivered.push({ dialog_id, message_id })
  }

  async #readChanges(): Promise<void> {
    this.#isBehind = false
    const answer = await this.#act('GET_CHANGES', { since: this.#change_id })
    if ('error' in answer) {
      this.#isBehind = true
      this.#note(answer.error.name)
      return
    }
    const { changes, next, reset } = answer.data as {
      changes: Change[]
      next: boolean
      reset: boolean
    }
    if (reset) this.failures.push('the change log was reset')
    // An event may have come while these were on their way.
    for (const change of changes) if (change.change_id > this.#change_id!) this.#apply(change)
    if (next) this.#isBehind = true
  }

  async #sendNext(): Promise<void> {
    if (!this.#unanswered && this.#isSending) this.#unanswered = this.#newText()
    const text = this.#unanswered
    if (!text) return
    const { dialog_id: dialogId, random_id, text: message } = text
    const answer = await this.#act('MESSAGE', { dialogId, random_id, message })
    if ('error' in answer) return this.#note(answer.error.name)
    const { message_id } = answer.data as { message_id: number }
    this.acknowledged.push({ ...text, message_id })
    this.#unanswered = undefined
  }

  #newText(): SentText {
    const dialog_id = this.dialogs[Math.floor(this.#of.random() * this.dialogs.length)]!
    const number = this.#sent.get(dialog_id) ?? 0
    this.#sent.set(dialog_id, number + 1)
    return { dialog_id, random_id: randomUUID(), text: getText(number) }
  }

  #note(refusal: string): void {
    if (!WAITS.has(refusal)) this.failures.push(`refused: ${refusal}`)
  }

  #act(action: string, data: object): Promise<WireAnswer> {
    return act(this.#wire!, this.#of.key, action, data)
  }
}
