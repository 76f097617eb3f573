import type { ComponentType, ReactNode } from 'react'
import type { Claim, QueueName } from '@duet/protocol'

interface QueueItems<Item> {
  readonly items: readonly Item[]
  readonly next: boolean
}

/** One queue: how its cases are fetched and shown. */
export interface QueueShape<Item> {
  readonly queue: QueueName
  readonly title: string
  /** A page of cases, counted from 1. `last` is the last case before it, for lists that begin after a case. */
  readonly list: (page: number, last?: Item) => Promise<QueueItems<Item>>
  readonly idOf: (item: Item) => string
  readonly claimOf: (item: Item) => Claim | null
  readonly sinceOf: (item: Item) => string
  readonly row: (item: Item) => { title: ReactNode; text: ReactNode; isSevere?: boolean }
  /** The case and its decision. It is mounted again for each case. */
  readonly detail: ComponentType<{ item: Item; onDecided: () => void }>
}
