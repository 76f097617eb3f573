import { createSocket } from 'node:dgram'
import type { Socket } from 'node:dgram'
import type { Page } from 'playwright-core'

/** The network between two pages, per direction. */
export interface Weather {
  delay_ms: number
  /** 0 to 1. */
  loss: number
  /** Null carries everything. */
  rate_bps: number | null
}

export const CLEAR: Weather = { delay_ms: 0, loss: 0, rate_bps: null }

/** The bytes that a router queues before it drops packets. */
const QUEUE_MS = 400

interface Door {
  socket: Socket
  port: number
  /** The candidate that stands behind this door. */
  behind: number
  busy_until_ms: number
}

/**
 * A network between the media of two pages of one machine. Every candidate that a page learns is replaced
 * by a port of this link. The link carries packets with a delay, a loss and a rate. Only host candidates
 * over UDP get through. It works on any page with any signals, because it acts where candidates enter the
 * browser.
 */
export class SlowLink {
  weather: Weather
  #doors = new Map<number, Promise<Door>>()
  #closed = false

  constructor(weather: Weather) {
    this.weather = weather
  }

  /** Before the page opens its first connection. */
  async attach(page: Page): Promise<void> {
    await page.exposeFunction('doorTo', async (port: number) => (await this.#door(port)).port)
    await page.evaluate(goThroughDoors)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const door of await Promise.all(this.#doors.values())) door.socket.close()
  }

  #door(behind: number): Promise<Door> {
    const known = this.#doors.get(behind)
    if (known) return known
    const { promise, resolve } = Promise.withResolvers<Door>()
    this.#doors.set(behind, promise)
    const socket = createSocket('udp4')
    const door: Door = { socket, port: 0, behind, busy_until_ms: 0 }
    socket.on(
      'message',
      (packet, { address, port }) => void this.#carry(door, packet, address, port),
    )
    socket.bind(0, () => {
      door.port = socket.address().port
      resolve(door)
    })
    return promise
  }

  /**
   * A packet enters by the port of its receiver and leaves by the port of its sender, so that each side
   * sees one address of the other.
   */
  async #carry(to: Door, packet: Buffer, address: string, fromPort: number) {
    const from = await this.#door(fromPort)
    const { delay_ms, loss, rate_bps } = this.weather
    if (Math.random() < loss) return
    const nowMs = performance.now()
    const startMs = Math.max(nowMs, to.busy_until_ms)
    if (startMs - nowMs > QUEUE_MS) return
    to.busy_until_ms = rate_bps ? startMs + (packet.length * 8000) / rate_bps : 0
    const send = () => {
      if (!this.#closed) from.socket.send(packet, to.behind, address, () => {})
    }
    const waitMs = delay_ms + (rate_bps ? to.busy_until_ms - nowMs : 0)
    if (waitMs > 0) setTimeout(send, waitMs)
    else send()
  }
}

/** Runs in the page. Descriptions bring candidates too; those are taken out, since each also comes by itself. */
function goThroughDoors() {
  const doorTo = (globalThis as unknown as { doorTo(port: number): Promise<number> }).doorTo
  type Connection = RTCPeerConnection
  const { addIceCandidate, setRemoteDescription } = RTCPeerConnection.prototype as {
    addIceCandidate(this: Connection, candidate?: RTCIceCandidateInit | null): Promise<void>
    setRemoteDescription(this: Connection, description: RTCSessionDescriptionInit): Promise<void>
  }
  Object.assign(RTCPeerConnection.prototype, {
    async addIceCandidate(this: Connection, candidate?: RTCIceCandidateInit | null) {
      const words = candidate?.candidate?.split(' ')
      if (!candidate || !words?.[5]) return addIceCandidate.call(this, candidate)
      const reachable =
        words[2]?.toLowerCase() === 'udp' && words[7] === 'host' && !words[4]?.includes(':')
      if (!reachable) return
      words[5] = String(await doorTo(Number(words[5])))
      return addIceCandidate.call(this, { ...candidate, candidate: words.join(' ') })
    },
    setRemoteDescription(this: Connection, { type, sdp }: RTCSessionDescriptionInit) {
      const bare = sdp?.replace(/^a=(candidate|end-of-candidates).*\r\n/gm, '')
      return setRemoteDescription.call(this, { type, sdp: bare })
    },
  })
}
