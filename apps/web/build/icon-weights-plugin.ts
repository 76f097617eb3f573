import type { Plugin } from 'vite'

const definition = /@phosphor-icons\/react\/dist\/defs\//
/** The design draws icons regular, bold, filled and duotone; the two others are a third of what an icon weighs. */
const unused = /\[\s*"(?:thin|light)",[\s\S]*?\n {2}\],?/g

export function iconWeightsPlugin(): Plugin {
  return {
    name: 'duet:icon-weights',
    transform: (code, id) => (definition.test(id) ? code.replace(unused, '') : undefined),
  }
}
