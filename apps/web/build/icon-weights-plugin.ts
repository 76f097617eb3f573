import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

const DEFINITION = /@phosphor-icons\/react\/dist\/defs\/(\w+)\.es\.js/
const WEIGHT = /\[\s*"(thin|light|regular|bold|fill|duotone)",[\s\S]*?\n {2}\],?/g
/** Manifests without markup pass icons as components, too. */
const SOURCES = ['apps/*/{src,dev}/**/*.{ts,tsx}', 'packages/ui/{src,gallery}/**/*.{ts,tsx}']
/** An icon that is passed to a component can be drawn in each of these. */
const ANY = ['regular', 'bold', 'fill', 'duotone'] as const
const ROOT = join(import.meta.dirname, '../../..')

/** Icons without the weights that no component draws. Most icons are drawn in one of six weights. */
export function iconWeightsPlugin(): Plugin {
  let used: Map<string, Set<string>>
  return {
    name: 'duet:icon-weights',
    apply: 'build',
    buildStart() {
      used = usedWeights(readSources())
    },
    transform(code, id) {
      const name = DEFINITION.exec(id)?.[1]
      return name && keepWeights(code, used.get(name) ?? new Set(ANY))
    },
  }
}

/** The text of every file that can draw an icon or pass it on. */
export function readSources(): string[] {
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT }))
  return files.map((file) => readFileSync(join(ROOT, file), 'utf8'))
}

/** The definition of an icon with only these weights. */
export function keepWeights(code: string, weights: ReadonlySet<string>): string {
  return code.replace(WEIGHT, (entry, weight: string) => (weights.has(weight) ? entry : ''))
}

/** The weights that sources draw of each icon. An icon that is not drawn as a JSX element keeps every weight. */
export function usedWeights(sources: readonly string[]): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>()
  for (const source of sources) {
    const bare = source.replace(/^import [^\n]*$/gm, '')
    for (const [, icon] of source.matchAll(/\/csr\/(\w+)'/g)) {
      const weights = used.get(icon!) ?? new Set<string>()
      used.set(icon!, weights)
      for (const weight of weightsIn(bare, `${icon}Icon`)) weights.add(weight)
    }
  }
  return used
}

function weightsIn(source: string, component: string): readonly string[] {
  const elements = [...source.matchAll(new RegExp(`<${component}\\b([^>]*)`, 'g'))]
  const mentions = [...source.matchAll(new RegExp(`\\b${component}\\b`, 'g'))]
  if (mentions.length !== elements.length) return ANY
  return elements.flatMap(([, attributes = '']) => {
    if (attributes.includes('{...')) return ANY
    const weight = /\bweight=(?:"(\w+)"|\{([^}]*)\})/.exec(attributes)
    if (!weight) return attributes.includes('=>') ? ANY : ['regular']
    if (weight[1]) return [weight[1]]
    const named = [...weight[2]!.matchAll(/'(\w+)'/g)].map(([, name]) => name!)
    return named.length > 0 ? named : ANY
  })
}
