import type { ClientConnection } from '@duet/client'
import { createSignalSocket, type SignalSocket } from '@duet/client/signal-socket.ts'
import type { SignalHeard, SignalSent, SignalSentName } from '@duet/protocol/contracts/signaling.ts'
import { CallLink } from './call-link.ts'
import { readPicture, readSound } from './media-files.ts'
import type { CompanionOrder } from './orders.ts'

const REPORT_EVERY_MS = 2000

type Play = Extract<CompanionOrder, { type: 'play' }>

/** The call of a companion: joins, answers signals, reports what is sent and received, as every client does. */
export class CompanionCall {
  readonly #session_id: number
  readonly #onConnected: () => void
  readonly #socket: SignalSocket
  readonly #media: Promise<{ picture: Buffer[]; sound: Buffer[] }>
  #link: CallLink | undefined
  /** Signals of a connection that `new_peer` has not announced yet. */
  #early: SignalHeard<'peer_signal'>[] = []
  #reports: ReturnType<typeof setInterval> | undefined
  #isOver = false

  constructor(
    { origin, page_origin, tab_id, name }: Play,
    connection: ClientConnection,
    { session_id, onConnected }: { readonly session_id: number; readonly onConnected: () => void },
  ) {
    this.#session_id = session_id
    this.#onConnected = onConnected
    this.#media = readMedia(name)
    this.#socket = createSignalSocket({
      origin,
      page_origin,
      ortcToken: () => connection.getSnapshot().auth?.user.ortc_token,
      tabId: async () => tab_id,
      onReady: () => this.#join(),
      onLost: () => {},
      onEvent: (event, payload) => this.#receive(event, payload),
    })
    this.#socket.open()
  }

  end(): void {
    this.#isOver = true
    clearInterval(this.#reports)
    this.#link?.close()
    this.#socket.close()
  }

  #join(): void {
    const session_guid = this.#link?.session_guid
    this.#send('JOIN_SESSION', {
      session_id: this.#session_id,
      ...(session_guid !== undefined && { session_guid }),
    })
  }

  #receive(event: string, payload: unknown): void {
    if (event === 'new_peer') void this.#openLink(payload as SignalHeard<'new_peer'>)
    if (event === 'peer_signal') this.#takeSignal(payload as SignalHeard<'peer_signal'>)
  }

  #takeSignal(signal: SignalHeard<'peer_signal'>): void {
    if (signal.session_id !== this.#session_id) return
    if (this.#link?.session_guid === signal.session_guid) return this.#apply(this.#link, signal)
    this.#early.push(signal)
  }

  async #openLink(peer: SignalHeard<'new_peer'>): Promise<void> {
    if (peer.session_id !== this.#session_id || peer.session_guid === this.#link?.session_guid)
      return
    const media = await this.#media
    if (this.#isOver) return
    this.#link?.close()
    const { session_guid } = peer
    const ids = { session_id: this.#session_id, session_guid }
    const link = new CallLink({
      peer,
      media,
      send: (signal) => this.#send('WEBRTC_SIGNAL', { ...ids, ...signal }),
      onConnected: () => {
        this.#send('PEER_CONNECTED', ids)
        this.#startReports(link)
        this.#onConnected()
      },
    })
    this.#link = link
    for (const early of this.#early.splice(0))
      if (early.session_guid === session_guid) this.#apply(link, early)
  }

  /** A signal that cannot be applied, such as a candidate of a network that this machine has not, ends nothing. */
  #apply(link: CallLink, signal: SignalHeard<'peer_signal'>): void {
    link.receive(signal).catch(() => {})
  }

  #startReports(link: CallLink): void {
    clearInterval(this.#reports)
    const report = async () => {
      const counters = await link.counters()
      const { session_guid } = link
      if (this.#isOver || this.#link !== link) return
      this.#send('PEER_STATE', {
        session_id: this.#session_id,
        session_guid,
        ...counters,
        audio: true,
        video: true,
      })
    }
    void report()
    this.#reports = setInterval(() => void report(), REPORT_EVERY_MS)
  }

  #send<E extends SignalSentName>(event: E, payload: SignalSent<E>): void {
    this.#socket.send(event, payload)
  }
}

async function readMedia(name: string): Promise<{ picture: Buffer[]; sound: Buffer[] }> {
  const [picture, sound] = await Promise.all([readPicture(name), readSound()])
  return { picture, sound }
}
