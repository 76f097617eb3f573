import { createAccountStore } from '../account/account-store.ts'

interface ShownGift {
  readonly id: number
  readonly image: string
  readonly session_id: number | undefined
  /** The sentence under the picture. */
  readonly text: string
}

/** The last gift that the viewer gave or received. The call in which it was given shows it. */
export const shownGift = createAccountStore<ShownGift | null>(null)
