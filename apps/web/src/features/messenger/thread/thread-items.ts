import { parseTime } from '@duet/protocol/kernel/time.ts'
import type { UnsentMessage } from '@duet/client'
import type { Message } from '@duet/protocol'
import type { PhotoUpload } from '../state/photo-uploads.ts'
import type { Thread } from '../state/messages.ts'

/** A row of a thread. */
export type ThreadItem =
  | { readonly kind: 'day'; readonly key: string; readonly time: string }
  | { readonly kind: 'new'; readonly key: string }
  | {
      readonly kind: 'message'
      readonly key: string
      readonly message: Message
      readonly is_own: boolean
      /** The last message of its writer before a pause or before the other writer. */
      readonly is_tail: boolean
      /** It has vanished: it fades out and is gone. */
      readonly is_leaving?: boolean
    }
  | { readonly kind: 'unsent'; readonly key: string; readonly unsent: UnsentMessage }
  | { readonly kind: 'upload'; readonly key: string; readonly upload: PhotoUpload }

/** The own messages of a thread that are not stored yet. */
interface Waiting {
  readonly unsent: readonly UnsentMessage[]
  readonly uploads: readonly PhotoUpload[]
}

/** Messages of a writer within this time are a group. */
const GROUP_MS = 2 * 60_000

/** After every time of ISO 8601. */
const LAST = '~'

/**
 * The rows of a thread: day headings in the reader's time, the divider of new messages, messages, unsent messages,
 * photo uploads.
 */
export function threadItems(
  { messages, first_unread }: Pick<Thread, 'messages' | 'first_unread'>,
  waiting: Waiting,
  ownId: number,
): ThreadItem[] {
  const items: ThreadItem[] = []
  let day = ''
  messages.forEach((message, index) => {
    const { message_id, create_time, sender_id, random_id } = message
    const ownDay = toCivilDay(create_time)
    if (ownDay !== day) items.push({ kind: 'day', key: `day-${ownDay}`, time: create_time })
    day = ownDay
    if (message_id === first_unread) items.push({ kind: 'new', key: 'new' })
    const isOwn = sender_id === ownId
    items.push({
      kind: 'message',
      // The same key before and after the answer: the row stays mounted.
      key: isOwn && random_id !== undefined ? random_id : `message-${message_id}`,
      message,
      is_own: isOwn,
      is_tail: !isSameGroup(message, messages[index + 1]),
    })
  })
  return [...items, ...waitingItems(waiting)]
}

/**
 * In the order in which the server will store them. A failed photo comes last, because it gets its place when the user
 * sends it again.
 */
function waitingItems({ unsent, uploads }: Waiting): ThreadItem[] {
  const items = [
    ...unsent.map((one) => ({
      at: one.written_at,
      item: { kind: 'unsent' as const, key: one.random_id, unsent: one },
    })),
    ...uploads.map((one) => ({
      at: one.error === undefined ? one.written_at : LAST,
      item: { kind: 'upload' as const, key: one.key, upload: one },
    })),
  ]
  return items.toSorted((one, other) => compare(one.at, other.at)).map(({ item }) => item)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function isSameGroup(message: Message, next: Message | undefined): boolean {
  return (
    next !== undefined &&
    next.sender_id === message.sender_id &&
    parseTime(next.create_time) - parseTime(message.create_time) < GROUP_MS
  )
}

/** The civil day of a moment where the reader is. */
export function toCivilDay(time: string): string {
  const date = new Date(parseTime(time))
  return `${date.getFullYear()}-${date.getMonth() + 1}-${date.getDate()}`
}
