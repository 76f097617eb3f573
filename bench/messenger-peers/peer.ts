import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { open } from '@duet/server/lib/cipher.ts'
import { databaseCpuMs } from '../figures/machine-time.ts'
import type { RawSocket } from '../sockets/raw-client.ts'

const FRAME_BYTES_MAX = 1024 * 1024
const DELIVERED_WITHIN_MS = 60_000
export const TEXT = 'Hello, how was your day? I was at the sea.'

/**
 * Sends a message. After the acknowledgement resolves to the milliseconds until the other user received the message.
 */
export type Say = () => Promise<number>

/** A server with connected users in pairs: 0 and 1, 2 and 3, and so on. */
export interface ComparedPeer {
  readonly name: string
  readonly says: readonly Say[]
  /** Of the server and its database together. */
  cpuUs(): Promise<number>
  /** Stops the peer. Returns the number of messages that the peer has stored. */
  finish(): Promise<number>
}

export async function databaseCpuUs(dataDir: string): Promise<number> {
  const text = await readFile(join(dataDir, 'db/postmaster.pid'), 'utf8')
  return databaseCpuMs(Number(text.split('\n')[0])) * 1000
}

/** Calls back for each message that this user receives from the other user. */
export function onReceived(
  socket: RawSocket,
  { event_key, sender_id }: { readonly event_key: Buffer; readonly sender_id: number },
  received: () => void,
): void {
  socket.onEvent = (text) => {
    if (!text.startsWith('42["messenger_message"')) return
    const [, sealed] = JSON.parse(text.slice(2)) as [string, string]
    const { message } = open(event_key, sealed, FRAME_BYTES_MAX) as {
      message: { sender_id: number }
    }
    if (message.sender_id === sender_id) received()
  }
}

/** The time that the delivery of a message took. */
export function createDelivery(): { begin(): Promise<number>; end(): void } {
  let end = () => {}
  return {
    begin: () =>
      new Promise((resolve, reject) => {
        const began = performance.now()
        const late = setTimeout(
          () => reject(new Error('a message was not delivered')),
          DELIVERED_WITHIN_MS,
        )
        end = () => {
          clearTimeout(late)
          resolve(performance.now() - began)
        }
      }),
    end: () => end(),
  }
}
