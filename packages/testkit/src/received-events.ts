import { equal } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { TestServer } from './test-server.ts'
import type { WireSocket } from './wire-client.ts'

export type Match = Record<string, unknown>

const RECEIVED_WITHIN_MS = 5000

/** Payloads of the received events with this name and these fields, oldest first. */
export function matching(
  wire: WireSocket | undefined,
  event: string,
  match: Match,
): Record<string, unknown>[] {
  return (wire?.heard ?? [])
    .filter(
      (heard) =>
        heard.event === event &&
        Object.entries(match).every(([key, value]) => isDeepStrictEqual(heard.payload[key], value)),
    )
    .map(({ payload }) => payload)
}

/**
 * Waits until an event with these fields was received; with `times`, lets the app settle and counts exactly.
 * Returns the first payload.
 */
export async function receivedEvent(
  app: Pick<TestServer, 'settle'>,
  name: string,
  wire: WireSocket | undefined,
  event: string,
  match: Match,
  times?: number,
): Promise<unknown> {
  if (!wire) throw new Error(`${name} has no socket`)
  if (times !== undefined) {
    await app.settle()
    const found = matching(wire, event, match)
    equal(
      found.length,
      times,
      `${name} received ${event} ${found.length} times; received: ${summary(wire)}`,
    )
    return found[0]
  }
  const arrived = () => matching(wire, event, match)[0]
  const now = arrived()
  if (now) return now
  return new Promise((resolve, reject) => {
    const stop = wire.onHeard(() => {
      const found = arrived()
      if (!found) return
      clearTimeout(late)
      stop()
      resolve(found)
    })
    const late = setTimeout(() => {
      stop()
      reject(
        new Error(
          `${name} never received ${event} ${JSON.stringify(match)}; received: ${summary(wire)}`,
        ),
      )
    }, RECEIVED_WITHIN_MS)
  })
}

function summary(wire: WireSocket): string {
  return wire.heard
    .map(({ event, payload }) => `${event} ${JSON.stringify(payload)}`.slice(0, 160))
    .join('\n  ')
}
