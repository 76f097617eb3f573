import type { ComponentType, ReactNode } from 'react'
import type { Claim, QueueName } from '@duet/protocol'

/** A page of a queue, counted from 1. */
export interface QueueStretch<Item> {
  readonly page: number
  /** The last case of the page before, for lists that begin after a case. */
  readonly last?: Item
  readonly filter?: string
}

export interface QueuePart<Item> {
  readonly items: readonly Item[]
  readonly next: boolean
  /** How many there are; nothing where they are not counted. */
  readonly total?: number | null
}

/** One queue: how its cases are fetched and shown. */
export interface QueueShape<Item> {
  readonly queue: QueueName
  readonly title: string
  readonly list: (stretch: QueueStretch<Item>) => Promise<QueuePart<Item>>
  /** Parts of the queue beside all of it, chosen in the address: the value and its name. */
  readonly filters?: readonly { readonly value: string; readonly label: string }[]
  readonly idOf: (item: Item) => string
  readonly claimOf: (item: Item) => Claim | null
  readonly sinceOf: (item: Item) => string
  readonly row: (item: Item) => {
    title: ReactNode
    text: ReactNode
    isSevere?: boolean
    /** Stands before the text. */
    portraits?: ReactNode
  }
  /** Only managers and owners open this case; a moderator reads that it waits for one of them. */
  readonly isForManagers?: (item: Item) => boolean
  /** The case and its decision. It is mounted again for each case. */
  readonly detail: ComponentType<{ item: Item; onDecided: () => void }>
}
