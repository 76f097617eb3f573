import type { AnsweredRefusal } from '@duet/client'
import type { UserInterlocutor } from '@duet/protocol'
import { createStore, useStore } from './observable-store.ts'

/** The input of every dialog that can be opened by name. */
export interface DialogInputs {
  login: { email?: string; reason?: 'registered_only' }
  register: { reason?: 'registered_only' }
  register_success: Record<never, never>
  age_confirmation: Record<never, never>
  not_balance: { last_interlocutor?: UserInterlocutor }
  terms: Record<never, never>
  privacy: Record<never, never>
  languages: Record<never, never>
  demo_window: Record<never, never>
  error: {
    area: string
    refusal: AnsweredRefusal
    code: number
    http_status: number
    additional: Readonly<Record<string, unknown>>
  }
}

/** The answer of each dialog; undefined when it was closed without one. */
export interface DialogAnswers {
  login: true
  register: true
  register_success: never
  age_confirmation: true
  not_balance: true
  terms: never
  privacy: never
  languages: never
  demo_window: never
  error: never
}

export type DialogName = keyof DialogInputs
export interface OpenDialog<Name extends DialogName = DialogName> {
  readonly key: number
  readonly name: Name
  readonly input: DialogInputs[Name]
}
export interface OpenDialogProps<Name extends DialogName> {
  readonly input: DialogInputs[Name]
  readonly open: boolean
  readonly close: (answer?: DialogAnswers[Name]) => void
}

type PendingDialog = OpenDialog & { readonly resolve: (answer: unknown) => void }

function createDialogStack() {
  const stack = createStore<readonly PendingDialog[]>([])
  let lastKey = 0
  let afterClose: () => Promise<void> = () => Promise.resolve()
  return {
    /** Opens a dialog on top of the stack; resolves when it closes. A dialog of the same name is replaced, not doubled. */
    ask<Name extends DialogName>(
      name: Name,
      input: DialogInputs[Name],
    ): Promise<DialogAnswers[Name] | undefined> {
      return new Promise((resolve) => {
        const open = stack.getSnapshot()
        for (const dialog of open) if (dialog.name === name) dialog.resolve(undefined)
        lastKey += 1
        const added = { key: lastKey, name, input, resolve: resolve as (answer: unknown) => void }
        stack.set([...open.filter((dialog) => dialog.name !== name), added])
      })
    },
    open<Name extends DialogName>(name: Name, input: DialogInputs[Name]): void {
      void this.ask(name, input)
    },
    /** Replaces an open dialog by another. The caller that asked for the first receives the answer of the second. */
    swap<Name extends DialogName>(
      replaced: DialogName,
      name: Name,
      input: DialogInputs[Name],
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
