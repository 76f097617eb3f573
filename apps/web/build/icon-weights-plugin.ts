import type { Plugin } from 'vite'

const DEFINITION = /@phosphor-icons\/react\/dist\/defs\//
/** The design uses regular, bold, filled and duotone icons; the two other weights are a third of an icon's bytes. */
const UNUSED = /\[\s*"(?:thin|light)",[\s\S]*?\n {2}\],?/g

export function iconWeightsPlugin(): Plugin {
  return {
    name: 'duet:icon-weights',
    transform: (code, id) => (DEFINITION.test(id) ? code.replace(UNUSED, '') : undefined),
  }
}
