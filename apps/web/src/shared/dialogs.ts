import { createAccountStore } from './account/account-store.ts'
import { useStore } from './observable-store.ts'

/**
 * Input and answer of every dialog that can be opened by name. Each feature adds its own in its `feature.ts`, by augmenting this
 * interface: `login: { input: { email?: string }; answer: true }`.
 */
export interface DialogContracts {}

export type DialogName = keyof DialogContracts
export type DialogInput<Name extends DialogName> = DialogContracts[Name]['input']
/** Undefined when the dialog was closed without an answer. */
type DialogAnswer<Name extends DialogName> = DialogContracts[Name]['answer'] | undefined

export interface OpenDialog<Name extends DialogName = DialogName> {
  readonly key: number
  readonly name: Name
  readonly input: DialogInput<Name>
}

export interface OpenDialogProps<Name extends DialogName> {
  readonly input: DialogInput<Name>
  readonly open: boolean
  readonly close: (answer?: DialogAnswer<Name>) => void
}

type PendingDialog = OpenDialog & { readonly resolve: (answer: unknown) => void }

/**
 * These dialogs lead to another account or explain why the page left an account. So they stay open when the account
 * changes, and a guest who becomes another guest keeps what the guest has typed.
 */
const STAYING: ReadonlySet<string> = new Set([
  'login',
  'register',
  'recovery',
  'age_confirmation',
  'delete_account',
  'account_leaves',
  'error',
])

function createDialogStack() {
  const stack = createAccountStore<readonly PendingDialog[]>([], () => {
    for (const { key, name } of stack.getSnapshot().toReversed())
      if (!STAYING.has(name)) dialogs.close(key)
  })
  let lastKey = 0
  let afterClose: () => Promise<void> = () => Promise.resolve()
  return {
    /**
     * Opens a dialog on top of the stack. Resolves when the dialog closes. The dialog replaces an open dialog of the
     * same name.
     */
    ask<Name extends DialogName>(
      name: Name,
      input: DialogInput<Name>,
    ): Promise<DialogAnswer<Name>> {
      return new Promise((resolve) => {
        const open = stack.getSnapshot()
        for (const dialog of open) if (dialog.name === name) dialog.resolve(undefined)
        lastKey += 1
        const added = { key: lastKey, name, input, resolve: resolve as (answer: unknown) => void }
        stack.set([...open.filter((dialog) => dialog.name !== name), added])
      })
    },
    open<Name extends DialogName>(name: Name, input: DialogInput<Name>): void {
      void this.ask(name, input)
    },
    /** Replaces an open dialog by another. The caller that asked for the first receives the answer of the second. */
    swap<Name extends DialogName>(
      replaced: DialogName,
      name: Name,
      input: DialogInput<Name>,
    ): void {
      lastKey += 1
      const key = lastKey
      stack.update((open) =>
        open.map((dialog) =>
          dialog.name === replaced ? { key, name, input, resolve: dialog.resolve } : dialog,
        ),
      )
    },
    close(key: number, answer?: unknown): void {
      const closing = stack.getSnapshot().find((dialog) => dialog.key === key)
      if (!closing) return
      stack.update((open) => open.filter((dialog) => dialog !== closing))
      void afterClose().then(() => closing.resolve(answer))
    },
    /** Sets the work that runs after a dialog closed and before its answer is returned. */
    onClose(work: () => Promise<void>): void {
      afterClose = work
    },
    closeTop(): void {
      const top = stack.getSnapshot().at(-1)
      if (top) this.close(top.key)
    },
    closeAll(): void {
      for (const dialog of stack.getSnapshot().toReversed()) this.close(dialog.key)
    },
    getSnapshot: (): readonly OpenDialog[] => stack.getSnapshot(),
    subscribe: stack.subscribe,
  }
}

/** The dialogs of the page, usable inside and outside of React: `dialogs.open('not_balance', { last_interlocutor })`. */
export const dialogs = createDialogStack()

export function useDialogStack(): readonly OpenDialog[] {
  return useStore(dialogs)
}
