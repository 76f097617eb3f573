import type { Persistence } from '@duet/client'
import type { DataMode } from '@duet/protocol'
import { createStore, useStore, type Observable } from '../observable-store.ts'

/** Choices of this device for all calls. */
export interface CallChoices {
  data_mode: DataMode
  /** The own picture is shown as in a mirror. The partner never sees it so. */
  mirrored: boolean
  /** Single letters are keys of the call. */
  keys: boolean
  /** What the partner says is written on the picture, where the browser can. */
  captions: boolean
}

const choices = createStore<CallChoices>({
  data_mode: 'full',
  mirrored: true,
  keys: true,
  captions: false,
})
let persistence: Persistence | undefined

export const callChoices: Observable<CallChoices> = choices

/** Sets where the choices are stored. */
export function storeCallChoicesIn(store: Persistence): void {
  persistence = store
  choices.set({ ...choices.getSnapshot(), ...store.get('call_choices') })
}

export function changeCallChoices(change: Partial<CallChoices>): void {
  choices.set({ ...choices.getSnapshot(), ...change })
  persistence?.set('call_choices', choices.getSnapshot())
}

export function useCallChoices(): CallChoices {
  return useStore(choices)
}
