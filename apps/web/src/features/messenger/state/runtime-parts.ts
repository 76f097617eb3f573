import type { Observable } from '../../../shared/observable-store.ts'
import type { PhotoUploads } from './photo-uploads.ts'
import type { DialogFilter } from './dialogs.ts'
import type { DialogTranslation } from './translated-dialogs.ts'
import type { MessengerState } from './messenger-state.ts'

/** The messenger of this page: its state and the user's actions. */
export interface MessengerRuntime extends PhotoUploads, DialogTranslation {
  readonly state: Observable<MessengerState>
  /** Fetches the first page of a filter unless the page is known, or fetches the next page. */
  loadDialogs(filter: DialogFilter, part: 'first' | 'next'): Promise<void>
  /** If the dialog does not exist, resolves to false. */
  openDialog(dialog_id: number): Promise<boolean>
  loadOlder(dialog_id: number): Promise<void>
  /** False when too many messages wait already: nothing was added. */
  send(dialog_id: number, text: string): boolean
  retry(random_id: string): void
  discard(random_id: string): void
  /** The unread messages of the dialog are on the screen. */
  markRead(dialog_id: number): void
  typing(dialog_id: number): void
  clean(dialog_id: number): Promise<void>
  remove(dialog_id: number): Promise<void>
}

/** The state as all parts of the runtime read and change it. */
export interface StateAccess {
  readonly update: (change: (current: MessengerState) => MessengerState) => void
  readonly getState: () => MessengerState
}
