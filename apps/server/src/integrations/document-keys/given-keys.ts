import { type DocumentKeys, wrapBy } from './document-keys.ts'

/** Keys that the operator gives by the environment, the current key first. */
export function createGivenKeys(keys: readonly Buffer[]): DocumentKeys {
  return { ...wrapBy(() => keys), rotate() {}, dropFormer: () => keys.length === 1 }
}
