import type { Message } from '@duet/protocol'

/** The fetched messages of a dialog: the newest messages without a gap. */
export interface Thread {
  readonly status: 'loading' | 'ready' | 'failed'
  /** By rising id. */
  readonly messages: readonly Message[]
  readonly has_older: boolean
  readonly older: 'idle' | 'loading' | 'failed'
  /** Grows with each page of older messages, so that the list keeps its place. */
  readonly older_pages: number
  /** The first message that was unread when the dialog was opened. The divider is above this message. */
  readonly first_unread: number | undefined
}

export const NEW_THREAD: Thread = {
  status: 'loading',
  messages: [],
  has_older: true,
  older: 'idle',
  older_pages: 0,
  first_unread: undefined,
}

export type Threads = ReadonlyMap<number, Thread>

/** The number of threads in memory. The thread that was opened first leaves first. */
const THREADS_MAX = 20

/** Merges both lists by id. The later version of a message replaces the earlier version. */
export function mergeMessages(
  known: readonly Message[],
  incoming: readonly Message[],
): readonly Message[] {
  if (incoming.length === 0) return known
  const last = known.at(-1)?.message_id ?? 0
  if (incoming.length === 1 && incoming[0]!.message_id > last) return [...known, incoming[0]!]
  const byId = new Map([...known, ...incoming].map((one) => [one.message_id, one]))
  return [...byId.values()].toSorted((one, other) => one.message_id - other.message_id)
}

export function withThread(threads: Threads, dialog_id: number, thread: Thread): Threads {
  const next = new Map(threads).set(dialog_id, thread)
  if (next.size > THREADS_MAX) {
    const oldest = [...next.keys()].find((id) => id !== dialog_id)
    if (oldest !== undefined) next.delete(oldest)
  }
  return next
}

/** Changes a fetched thread. Other threads fetch the changed messages later. */
export function patchThread(
  threads: Threads,
  dialog_id: number,
  change: (thread: Thread) => Partial<Thread>,
): Threads {
  const thread = threads.get(dialog_id)
  if (!thread) return threads
  return new Map(threads).set(dialog_id, { ...thread, ...change(thread) })
}

/** The time at which a message disappears, as far as the page knows. Undefined: the message stays. */
export type EndOf = (known: string | undefined) => string | undefined

/** The messages with these ids are read, and disappear at the time that `endOf` gives each. */
export function markRead(
  messages: readonly Message[],
  ids: readonly number[],
  endOf: EndOf,
): readonly Message[] {
  const read = new Set(ids)
  return messages.map((message) => {
    if (!read.has(message.message_id)) return message
    const { vanish_at: known, ...rest } = message
    const until = endOf(known)
    return { ...rest, read_status: 1 as const, ...(until !== undefined && { vanish_at: until }) }
  })
}

export type RemovalReason = 'expired' | 'violation' | 'cleaned'

/** The messages to remove: these messages, or every message up to an id. */
export interface RemovedIds {
  readonly message_ids: readonly number[]
  readonly up_to?: number | undefined
}

/** A message against the rules leaves a note in its place. Other messages disappear. */
export function removeMessages(
  messages: readonly Message[],
  { message_ids, up_to = 0 }: RemovedIds,
  reason: RemovalReason,
): readonly Message[] {
  const gone = new Set(message_ids)
  const isGone = ({ message_id }: Message) => message_id <= up_to || gone.has(message_id)
  if (reason !== 'violation') return messages.filter((message) => !isGone(message))
  return messages.map((message) => (isGone(message) ? withoutContent(message) : message))
}

function withoutContent(message: Message): Message {
  const bare = { ...message, message: '', removed: true }
  if (bare.type === 'image') delete bare.media
  if (bare.type === 'gift') delete bare.gift
  return bare
}

/** The unread messages of the interlocutor, newest last. At most the number that a request may name. */
export function unreadIds(messages: readonly Message[], ownId: number, countMax: number): number[] {
  return messages
    .filter(({ sender_id, read_status }) => sender_id !== ownId && read_status === 0)
    .slice(-countMax)
    .map(({ message_id }) => message_id)
}
