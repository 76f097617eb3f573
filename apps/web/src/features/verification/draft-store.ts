import { useEffect } from 'react'
import { useAppServices, useOwnUser, type AppServices } from '../../shared/app-services.tsx'
import { markUnsent } from '../../shared/navigation/unsent.ts'
import { createStore, useStore } from '../../shared/observable-store.ts'
import { EMPTY_DRAFT, type VerificationDraft } from './verification-draft.ts'

/**
 * The draft of this page. It outlives the screen, so that a user may correct the profile and return to the pictures, and it is
 * kept nowhere else: these are documents.
 */
const stored = createStore(EMPTY_DRAFT)
stored.subscribe(() => {
  const { front, back, selfie } = stored.getSnapshot()
  markUnsent('verification', Boolean(front ?? back ?? selfie))
})

const followed = new WeakSet<AppServices['connection']>()

export interface OwnDraft {
  readonly draft: VerificationDraft
  readonly change: (change: Partial<VerificationDraft>) => void
  readonly forget: () => void
}

export function useDraft(): OwnDraft {
  const { connection } = useAppServices()
  const own = useOwnUser()
  const draft = useStore(stored)
  useEffect(() => {
    if (followed.has(connection)) return
    followed.add(connection)
    // The documents of one account are not shown to the next.
    connection.on('identity', forget)
  }, [connection])
  return { draft: { ...draft, country: draft.country ?? own?.country ?? null }, change, forget }
}

function change(part: Partial<VerificationDraft>): void {
  stored.update((before) => ({ ...before, ...part }))
}

function forget(): void {
  stored.set(EMPTY_DRAFT)
}
