import { createAccountStore } from '../../shared/account/account-store.ts'
import { useOwnUser } from '../../shared/app-services.tsx'
import { markUnsent } from '../../shared/navigation/unsent.ts'
import { useStore } from '../../shared/observable-store.ts'
import { EMPTY_DRAFT, type VerificationDraft } from './verification-draft.ts'

/**
 * The draft of the account on this page. The draft outlives the screen, so that a user may correct the profile and
 * return to the pictures. Nothing else stores the draft, because its pictures are identity documents.
 */
const stored = createAccountStore(EMPTY_DRAFT)
stored.subscribe(() => {
  const { front, back, selfie } = stored.getSnapshot()
  markUnsent('verification', Boolean(front ?? back ?? selfie))
})

export interface OwnDraft {
  readonly draft: VerificationDraft
  readonly change: (change: Partial<VerificationDraft>) => void
  /** Forgets what was sent. A draft that was begun since then stays. */
  readonly forget: (sent: VerificationDraft) => void
}

export function useDraft(): OwnDraft {
  const own = useOwnUser()
  const draft = useStore(stored)
  return { draft: { ...draft, country: draft.country ?? own?.country ?? null }, change, forget }
}

function change(part: Partial<VerificationDraft>): void {
  stored.update((before) => ({ ...before, ...part }))
}

function forget({ type, front, back, selfie }: VerificationDraft): void {
  stored.update((now) => {
    const isSent =
      now.type === type && now.front === front && now.back === back && now.selfie === selfie
    return isSent ? EMPTY_DRAFT : now
  })
}
