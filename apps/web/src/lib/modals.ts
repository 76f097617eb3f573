import type { AnsweredRefusal } from '@duet/client'
import type { UserInterlocutor } from '@duet/protocol'
import { useSyncExternalStore } from 'react'

/** Every dialog that can be opened by name: what it is given. A feature adds its own line here, `app/modals` its component. */
export interface ModalGiven {
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

/** What a dialog answers when it goes; undefined when it was closed without an answer. */
export interface ModalAnswer {
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

export type ModalName = keyof ModalGiven
export interface OpenModal<Name extends ModalName = ModalName> {
  readonly key: number
  readonly name: Name
  readonly given: ModalGiven[Name]
}
export interface ModalProps<Name extends ModalName> {
  readonly given: ModalGiven[Name]
  readonly open: boolean
  readonly close: (answer?: ModalAnswer[Name]) => void
}

type Waiting = OpenModal & { readonly answered: (answer: unknown) => void }

function createModals() {
  let stack: readonly Waiting[] = []
  let keys = 0
  let leave: () => Promise<void> = () => Promise.resolve()
  const listeners = new Set<() => void>()
  function become(next: readonly Waiting[]): void {
    stack = next
    for (const listener of listeners) listener()
  }
  return {
    /** Opens a dialog on top of what is open; resolves when it closed. The same name twice is one dialog. */
    ask<Name extends ModalName>(
      name: Name,
      given: ModalGiven[Name],
    ): Promise<ModalAnswer[Name] | undefined> {
      return new Promise((answered) => {
        const others = stack.filter((one) => one.name !== name)
        for (const one of stack) if (one.name === name) one.answered(undefined)
        become([
          ...others,
          { key: (keys += 1), name, given, answered: answered as (answer: unknown) => void },
        ])
      })
    },
    open<Name extends ModalName>(name: Name, given: ModalGiven[Name]): void {
      void this.ask(name, given)
    },
    /** Puts another dialog in the place of an open one; whoever asked for the first gets the answer of the second. */
    swap<Name extends ModalName>(replaced: ModalName, name: Name, given: ModalGiven[Name]): void {
      keys += 1
      const key = keys
      become(
        stack.map((one) =>
          one.name === replaced ? { key, name, given, answered: one.answered } : one,
        ),
      )
    },
    close(key: number, answer?: unknown): void {
      const closing = stack.find((one) => one.key === key)
      if (!closing) return
      become(stack.filter((one) => one !== closing))
      void leave().then(() => closing.answered(answer))
    },
    /** What has to be done after a dialog closed and before its answer is told. */
    whenClosed(then: () => Promise<void>): void {
      leave = then
    },
    closeTop(): void {
      const top = stack.at(-1)
      if (top) this.close(top.key)
    },
    closeAll(): void {
      for (const one of [...stack].reverse()) this.close(one.key)
    },
    getStack: (): readonly OpenModal[] => stack,
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The dialogs of the page, usable inside and outside of React: `modals.open('not_balance', { last_interlocutor })`. */
export const modals = createModals()

export function useModalStack(): readonly OpenModal[] {
  return useSyncExternalStore(modals.subscribe, modals.getStack, modals.getStack)
}
