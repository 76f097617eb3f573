import { CollectorClient, type CollectorRequest } from './collector-client.ts'
import { browserEnvironment, type MonitoringEnvironment, type PageEvent } from './environment.ts'
import { type DatedRequest, EventBatch, EventQueue } from './event-queue.ts'
import {
  type AddedConnection,
  checkAdded,
  checkEvent,
  checkNamed,
  checkOptions,
  checkPeerId,
  type MonitoringOptions,
  type NamedConnection,
} from './validation.ts'
import { type Watched, WatchedConnections } from './watched-connections.ts'

const STATS_INTERVAL_MS = 1000
const BATCH_DELAY_MS = 500
const DEFAULT_URL = '/quality/v1/'

/** Watches the calls of a user and reports to a collector of call quality. */
export class Monitoring {
  #options: MonitoringOptions
  #environment: MonitoringEnvironment
  #client: CollectorClient
  #queue: EventQueue
  #batch: EventBatch
  #connections: WatchedConnections
  #stopWatchingPage: () => void = () => {}
  #begun = Promise.withResolvers<void>()
  /** Resolves when the collector has confirmed the session, or refused it. */
  #starting: Promise<void> = this.#begun.promise

  constructor(options: MonitoringOptions, environment = browserEnvironment()) {
    checkOptions(options, environment)
    const { publicKey, userId, peerToken, url = DEFAULT_URL, getStatsInterval } = options
    const { clock } = environment
    this.#options = options
    this.#environment = environment
    const onRefused = () => this.#stop()
    const collector = { url, publicKey, userId, peerToken, onRefused }
    this.#client = new CollectorClient(collector, environment)
    this.#queue = new EventQueue((request) => this.#send(request))
    this.#batch = new EventBatch(this.#client, {
      after: (run) => clock.after(BATCH_DELAY_MS, run),
      now_ms: () => clock.now_ms(),
      onFailed: (error) => this.#debug('events were not sent', error),
    })
    this.#connections = new WatchedConnections({
      clock,
      stats_ms: getStatsInterval || STATS_INTERVAL_MS,
      createJudge: () => environment.createJudge(),
      send: (request) => this.#sendWatched(request),
      isNeeded: () => this.#client.has_session,
      onFailed: (error) => this.#debug('statistics could not be read', error),
    })
  }

  /** Begins a session for a call. If the collector refuses the session, nothing is sent. */
  initialize({ sessionId }: { readonly sessionId: string | number }): Promise<void> {
    this.#starting = this.#start(String(sessionId))
    this.#begun.resolve(this.#starting)
    return this.#starting
  }

  async #start(sessionId: string): Promise<void> {
    const closed = this.#client.has_session ? this.close() : undefined
    this.#queue.hold()
    await closed
    const { appVersion = '', meta } = this.#options
    this.#client.begin(sessionId)
    try {
      const body = { appVersion, ...(meta && { meta }) }
      const answer = await this.#client.send({ call: 'session', body })
      if (answer?.stats_ms) this.#connections.stats_ms = answer.stats_ms
    } catch (error) {
      this.#debug('Could not start session.', error)
      return this.#stop()
    }
    if (!this.#client.has_session) return
    this.#queue.open()
    this.#stopWatchingPage = this.#environment.watchPage((event) => this.#pageEvent(event))
    void this.#sendDevice()
  }

  async #sendDevice(): Promise<void> {
    const device = await this.#environment.describeDevice().catch(() => undefined)
    if (device) this.#send({ method: 'PUT', call: 'session', body: device })
  }

  /** Ends the session: nothing is sent until the next session begins. */
  async close(): Promise<void> {
    const sent = this.#client.send({ call: 'close-session' })
    this.#stop()
    await sent.catch((error: unknown) => this.#debug('the session was not closed', error))
  }

  /**
   * Watches a connection until it closes or is removed.
   * @throws a sentence about the arguments, or the error of a collector that does not take the connection
   */
  async addConnection(options: AddedConnection): Promise<{ connectionId: string }> {
    checkAdded(options, this.#environment)
    const { pc, peerId, connectionId = this.#environment.newId() } = options
    const watched = this.#connections.add({ pc, peer_id: peerId, id: connectionId })
    await this.#starting
    const { peerName = peerId, isSfu = false } = options
    const { connectionState } = pc
    const body = { eventName: 'addConnection', connectionId, peerName, connectionState, isSfu }
    try {
      const answer = await this.#client.send({ call: 'rtc-connection', body })
      this.#connections.confirm(watched, answer?.connection_id)
    } catch (error) {
      this.#connections.remove(watched)
      throw error
    }
    return { connectionId: watched.id }
  }

  removeConnection(options: NamedConnection): { connectionId: string } {
    checkNamed(options, this.#environment)
    const found = this.#connections.find(options)
    if (!found) throw new Error('Could not find the desired connection.')
    this.#announceRemoved(found)
    return { connectionId: found.id }
  }

  removePeer(peerId: string): void {
    checkPeerId(peerId)
    const found = this.#connections.listPeer(peerId)
    if (found.length === 0) throw new Error(`Could not find peer with id ${peerId}`)
    for (const watched of found) this.#announceRemoved(watched)
  }

  /** Reports something that happened in the application. */
  addEvent(event: { readonly eventName?: string; readonly [key: string]: unknown }): void {
    checkEvent(event)
    this.#add('device-event', { eventName: 'custom', data: event })
  }

  /** Reports how asking for camera and microphone went. */
  addGumEvent(data: { readonly constraints?: unknown; readonly error?: string }): void {
    this.#add('gum-event', { eventName: 'getUserMedia', data })
  }

  /** The user switched the microphone off. */
  mute(): void {
    this.addEvent({ eventName: 'mute' })
  }

  unmute(): void {
    this.addEvent({ eventName: 'unmute' })
  }

  #add(call: string, body: object): void {
    this.#queue.add({ call, body, at_ms: this.#environment.clock.now_ms() })
  }

  #send(request: CollectorRequest): void {
    this.#client
      .send(request)
      .catch((error: unknown) => this.#debug(`${request.call} was not sent`, error))
  }

  #sendWatched(request: DatedRequest): void {
    const isBatched = this.#options.batchConnectionEvents && request.call === 'rtc-connection'
    if (isBatched && this.#client.has_session) this.#batch.add(request)
    else this.#send(request)
  }

  #announceRemoved(watched: Watched): void {
    const { id: connectionId } = watched
    const body = { eventName: 'removeConnection', connectionId }
    const atMs = this.#environment.clock.now_ms()
    watched.queue.add({ call: 'rtc-connection', body, at_ms: atMs })
    this.#connections.remove(watched)
  }

  #pageEvent(event: PageEvent): void {
    const isLast = event.eventName === 'beforeunload' || event.eventName === 'unload'
    this.#send({ call: 'device-event', body: event, isLast })
  }

  #stop(): void {
    this.#client.end()
    this.#batch.stop()
    this.#connections.clear()
    this.#queue.drop()
    this.#stopWatchingPage()
    this.#stopWatchingPage = () => {}
  }

  #debug(message: string, error: unknown): void {
    if (this.#options.debug) this.#environment.debug(message, error)
  }
}
