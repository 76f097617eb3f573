import { setTimeout as sleep } from 'node:timers/promises'
import type { ComparedPeer, Say } from './peer.ts'

const ROUND_MS = 4_000

/** A round of a peer. */
export interface Load {
  readonly per_s: number
  readonly cpu_us: number
  readonly waitsMs: number[]
}

/** Each user sends, waits for the acknowledgement and the delivery, and sends again. */
export function saturate(peer: ComparedPeer, users: number): Promise<Load> {
  return measured(peer, async (waitsMs) => {
    const until = performance.now() + ROUND_MS
    const talk = async (say: Say) => {
      while (performance.now() < until) waitsMs.push(await say())
    }
    await Promise.all(peer.says.slice(0, users).map(talk))
  })
}

/**
 * All users together send this number of messages a second, evenly. A delay counts from the time at which the message
 * was due, so that a slow server does not hide its delay.
 */
export function pace(peer: ComparedPeer, users: number, perSecond: number): Promise<Load> {
  return measured(peer, async (waitsMs) => {
    const began = performance.now()
    const talk = async (say: Say, at: number) => {
      for (let n = at; (n / perSecond) * 1000 < ROUND_MS; n += users) {
        const due = began + (n / perSecond) * 1000
        const earlyMs = due - performance.now()
        if (earlyMs > 0) await sleep(earlyMs)
        const lateMs = performance.now() - due
        waitsMs.push(lateMs + (await say()))
      }
    }
    await Promise.all(peer.says.slice(0, users).map(talk))
  })
}

async function measured(
  peer: ComparedPeer,
  work: (waitsMs: number[]) => Promise<void>,
): Promise<Load> {
  const waitsMs: number[] = []
  const cpuBefore = await peer.cpuUs()
  const began = performance.now()
  await work(waitsMs)
  const seconds = (performance.now() - began) / 1000
  const cpuUs = (await peer.cpuUs()) - cpuBefore
  return { per_s: waitsMs.length / seconds, cpu_us: cpuUs / waitsMs.length, waitsMs }
}
