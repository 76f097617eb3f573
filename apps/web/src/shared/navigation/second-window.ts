import type { CastMember } from '@duet/protocol'

/** How long the opener waits for its second window, which still has to load. */
const HANDOVER_MS = 60_000
/** How long the second window waits for its opener. An opener that was reloaded never answers. */
const ANSWER_MS = 5_000

/** The second window sends this as its question. The opener sends it back with the user as the answer. */
interface Handover {
  readonly duet_demo: string
  readonly user_id?: number
}

/**
 * Opens a second window, which asks this window for its demo user. The address contains only a key. The key works once
 * and only for the opened window, so that a link of another site can sign no window in.
 *
 * @param path the page of the second window
 */
export function openSecondWindow(person: Pick<CastMember, 'user_id'>, path = '/'): void {
  const key = crypto.randomUUID()
  const origin = otherOrigin(location)
  const opened = window.open(`${origin}${path}?demo=${key}`, '_blank', 'width=1100,height=820')
  if (opened) answerOnce({ opened, origin, key, user_id: person.user_id })
}

interface Answering {
  readonly opened: WindowProxy
  readonly origin: string
  readonly key: string
  readonly user_id: number
}

function answerOnce({ opened, origin, key, user_id }: Answering): void {
  const listening = new AbortController()
  const stop = setTimeout(() => listening.abort(), HANDOVER_MS)
  const answer = (event: MessageEvent<Handover | undefined>) => {
    if (event.source !== opened || event.origin !== origin || event.data?.duet_demo !== key) return
    clearTimeout(stop)
    listening.abort()
    opened.postMessage({ duet_demo: key, user_id } satisfies Handover, origin)
  }
  addEventListener('message', answer, { signal: listening.signal })
}

/**
 * Asks the window that opened this window. Undefined if no page of the other loopback origin opened this window or
 * answers.
 */
export function askOpener(key: string): Promise<number | undefined> {
  const opener = window.opener as WindowProxy | null
  if (!opener || !isLoopback(location)) return Promise.resolve(undefined)
  const origin = otherOrigin(location)
  const listening = new AbortController()
  return new Promise<number | undefined>((resolve) => {
    const stop = setTimeout(() => resolve(undefined), ANSWER_MS)
    const receive = (event: MessageEvent<Handover | undefined>) => {
      if (event.source !== opener || event.origin !== origin) return
      if (event.data?.duet_demo !== key) return
      clearTimeout(stop)
      resolve(event.data.user_id)
    }
    addEventListener('message', receive, { signal: listening.signal })
    opener.postMessage({ duet_demo: key } satisfies Handover, origin)
  }).finally(() => listening.abort())
}

/** The other loopback name has its own storage, so that a browser can be two users. */
export function otherOrigin({
  protocol,
  hostname,
  port,
}: Pick<Location, 'protocol' | 'hostname' | 'port'>): string {
  const other = hostname === '127.0.0.1' ? 'localhost' : '127.0.0.1'
  return `${protocol}//${other}${port ? `:${port}` : ''}`
}

export function isLoopback({ hostname }: Pick<Location, 'hostname'>): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1'
}
