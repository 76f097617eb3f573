import type { CallFacts, Gift, Media, Message, MessageType } from '@duet/protocol'
import type { MessageRow } from '../queries.ts'

/** How a message of each type comes into a dialog: a user writes it, or the server adds it as an entry. */
const ORIGINS = {
  text: 'written',
  image: 'written',
  like: 'entry',
  call: 'entry',
  gift: 'entry',
  system: 'not built',
} as const satisfies Record<MessageType, 'written' | 'entry' | 'not built'>

type TypeFrom<Origin> = {
  [Type in MessageType]: (typeof ORIGINS)[Type] extends Origin ? Type : never
}[MessageType]
export type WrittenType = TypeFrom<'written'>
export type EntryType = TypeFrom<'entry'>

/** The columns that hold the content of a message of each type, for the export of its sender. */
export const CONTENT_COLUMNS = {
  text: ['text'],
  image: ['media_id'],
  // Gifts have an export of their own.
  gift: [],
  like: [],
  // Calls have an export of their own.
  call: [],
  system: ['text'],
} as const satisfies Record<MessageType, readonly (keyof MessageRow)[]>

type Content<Type extends MessageType> = Omit<Extract<Message, { type: Type }>, keyof AnyMessage>
type AnyMessage = Extract<Message, { type: 'text' }>

/** A gift as its entry stores it. `reward` in coins, for the girl alone. */
export interface GiftFacts {
  readonly gift: Gift
  readonly reward: string
}

/** The uploads that the viewer sees, by id. */
export type ShownPictures = ReadonlyMap<string, Media>

/** By type: the content of a message besides its text. Undefined if the viewer cannot see its picture. */
export const CONTENTS: {
  readonly [Type in MessageType]: (
    row: MessageRow,
    pictures: ShownPictures,
  ) => Content<Type> | undefined
} = {
  text: () => ({}),
  image: ({ media_id }, pictures) => {
    const media = pictures.get(media_id ?? '')
    return media && { media }
  },
  gift: ({ entry }) => ({ gift: (entry as GiftFacts).gift }),
  like: () => ({}),
  call: ({ entry }) => {
    // Without the id of the call.
    const { kind, seconds, missed } = entry as CallFacts
    return { call: { kind, seconds, missed } }
  },
  system: () => ({}),
}
