import { createConnection, persistence, type ClientConnection } from '@duet/client'
import type { Payload } from '@duet/protocol'
import { CompanionCall } from './companion-call.ts'
import { Conversation } from './conversation.ts'
import type { CompanionOrder } from './orders.ts'

const CONNECT_WITHIN_MS = 10_000
const ACCEPT_AFTER_MS = 1000
const SIGN_OUT_WITHIN_MS = 5000

type Play = Extract<CompanionOrder, { type: 'play' }>

/** A demo user that the server plays: searches, accepts one offer, has one call, and leaves. */
export class Companion {
  readonly #order: Play
  readonly #onOver: (problem?: string) => void
  readonly #connection: ClientConnection
  readonly #timers = new Set<ReturnType<typeof setTimeout>>()
  #call: CompanionCall | undefined
  /** The offer of the search. */
  #pair_id: string | undefined
  #session_id: number | undefined
  #conversation: Conversation | undefined
  #isOver = false

  constructor(order: Play, onOver: (problem?: string) => void) {
    this.#order = order
    this.#onOver = onOver
    const { origin, page_origin, tab_id, token } = order
    const stored = persistence()
    stored.set('token', token)
    this.#connection = createConnection({
      origin,
      page_origin,
      persistence: stored,
      tabId: async () => tab_id,
      locale: () => 'en',
    })
    this.#listen()
  }

  start(): void {
    this.#connection.start()
    this.#search().catch((error: unknown) => void this.leave(String(error)))
  }

  /** Signs out, which ends the search and the call, too. */
  async leave(problem?: string): Promise<void> {
    if (this.#isOver) return
    this.#end()
    // A companion without a connection cannot sign out.
    const late = new Promise((resolve) => setTimeout(resolve, SIGN_OUT_WITHIN_MS))
    await Promise.race([this.#connection.act('LOGOUT', {}).catch(() => {}), late])
    this.#connection.close()
    this.#onOver(problem)
  }

  async #search(): Promise<void> {
    await this.#connection.ready(CONNECT_WITHIN_MS)
    const { state } = await this.#connection.act('MATCH_AWAIT', {})
    if (state === 'paused') await this.leave('the search of this user is paused')
  }

  #listen(): void {
    const { on } = this.#connection
    on('snapshot', ({ phase }) => {
      // A visitor has signed in as this user, or the login has ended.
      if (phase === 'other_tab' || phase === 'stopped') this.#giveUp()
    })
    on('search_pair', ({ pair_id, kind }) => {
      // A companion has no time for a ring: it would leave the partner of its call.
      if (kind !== 'random')
        return this.#after(0, () => this.#act('SEARCH_PAIR_REJECT', { pair_id }))
      this.#pair_id = pair_id
      this.#after(ACCEPT_AFTER_MS, () => this.#act('SEARCH_PAIR_ACCEPT', { pair_id }))
    })
    on('search_pair_closed', ({ pair_id }) => {
      // After a decline another demo user is the better next offer.
      if (pair_id === this.#pair_id) void this.leave()
    })
    on('new_session', ({ session }) => this.#enter(session))
    on('close_session', () => void this.leave())
    on('session_up', ({ session_id, user_id }) => {
      if (user_id !== this.#order.user_id)
        this.#after(ACCEPT_AFTER_MS, () =>
          this.#act('SESSION_UP_REACTION', { session_id, accept: true }),
        )
    })
    on('text_chat_message', ({ sender_id, text }) => {
      if (sender_id !== this.#order.user_id) this.#conversation?.answer(text)
    })
  }

  /** The same session again has another price: the call became private. */
  #enter({ id, state }: Payload<'new_session'>['session']): void {
    if (this.#session_id === id) {
      if (state === 'private') this.#conversation?.becamePrivate()
      return
    }
    this.#session_id = id
    const conversation = new Conversation(this.#order.name, {
      after: (ms, work) => this.#after(ms, work),
      type: () => this.#act('SESSION_TYPING', { session_id: id }),
      say: (text) =>
        this.#act('TEXT_CHAT_MESSAGE', { session_id: id, text, id: crypto.randomUUID() }),
    })
    this.#conversation = conversation
    this.#call = new CompanionCall(this.#order, this.#connection, {
      session_id: id,
      onConnected: () => conversation.begin(),
    })
  }

  /** A refusal needs no answer: the event that ends the offer or the call follows. */
  #act: ClientConnection['act'] = async (action, data) => {
    return this.#connection.act(action, data)
  }

  #after(ms: number, work: () => unknown): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      if (!this.#isOver) Promise.resolve(work()).catch(() => {})
    }, ms)
    this.#timers.add(timer)
  }

  /** Another tab has this user now: it keeps the search and the call. */
  #giveUp(): void {
    if (this.#isOver) return
    this.#end()
    this.#connection.close()
    this.#onOver()
  }

  #end(): void {
    this.#isOver = true
    for (const timer of this.#timers) clearTimeout(timer)
    this.#call?.end()
  }
}
