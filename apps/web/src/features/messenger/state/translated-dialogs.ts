import type { Persistence } from '@duet/client'
import type { AppServices } from '../../../shared/app-services.tsx'
import { createAccountStore } from '../../../shared/account/account-store.ts'
import type { Observable, Store } from '../../../shared/observable-store.ts'

export interface TranslatedDialogs {
  readonly own_id: number
  /** The dialogs whose messages are shown translated. */
  readonly dialogs: ReadonlySet<number>
}

export interface DialogTranslation {
  readonly translated: Observable<TranslatedDialogs>
  /** Shows the messages of a dialog translated, or as they were written. */
  setTranslated(dialog_id: number, on: boolean): void
}

const DIALOGS_MAX = 200

/** The dialogs that the user wants translated, which outlive the page. */
export function createTranslatedDialogs({
  connection,
  persistence,
}: AppServices): DialogTranslation {
  const state = createAccountStore(
    getState(persistence, connection.getSnapshot().auth?.user.id),
    (user_id) => state.set(getState(persistence, user_id)),
  )
  return {
    translated: state,
    setTranslated: (dialog_id, on) => setDialog(persistence, state, dialog_id, on),
  }
}

function getState(persistence: Persistence, ownId = 0): TranslatedDialogs {
  const stored = (persistence.get('translated_dialogs') ?? []).filter(
    ({ user_id }) => user_id === ownId,
  )
  return { own_id: ownId, dialogs: new Set(stored.map(({ dialog_id }) => dialog_id)) }
}

function setDialog(
  persistence: Persistence,
  { getSnapshot, update }: Store<TranslatedDialogs>,
  dialog_id: number,
  on: boolean,
): void {
  const { own_id: user_id } = getSnapshot()
  const others = (persistence.get('translated_dialogs') ?? []).filter(
    (one) => one.user_id !== user_id || one.dialog_id !== dialog_id,
  )
  const kept = on ? [...others, { user_id, dialog_id }].slice(-DIALOGS_MAX) : others
  persistence.set('translated_dialogs', kept.length > 0 ? kept : undefined)
  update((current) => {
    const dialogs = new Set(current.dialogs)
    if (on) dialogs.add(dialog_id)
    else dialogs.delete(dialog_id)
    return { ...current, dialogs }
  })
}
