import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepWeights, readSources, usedWeights } from './icon-weights-plugin.ts'

const IMPORT = "import { EyeIcon } from '@phosphor-icons/react/dist/csr/Eye'\n"
const DEFINITIONS = join(
  import.meta.dirname,
  '../../../node_modules/@phosphor-icons/react/dist/defs',
)
const ALL = ['bold', 'duotone', 'fill', 'regular']
const used = (...bodies: string[]) =>
  [...usedWeights(bodies.map((body) => IMPORT + body)).get('Eye')!].toSorted()

test.each([
  ['<EyeIcon size={2} />', ['regular']],
  ['<EyeIcon\n  size={2}\n  weight="bold"\n/>', ['bold']],
  ["<EyeIcon weight={isActive ? 'fill' : 'regular'} />", ['fill', 'regular']],
  ['<EyeIcon /><EyeIcon weight="fill" />', ['fill', 'regular']],
  ['<Step icon={EyeIcon} />', ALL],
  ['<EyeIcon weight={weight} />', ALL],
  ['<EyeIcon {...look} />', ALL],
])('%s keeps %j', (source, weights) => {
  expect(used(source)).toEqual(weights)
})

test('the weights of several files add up', () => {
  expect(used('<EyeIcon />', '<EyeIcon weight="bold" />')).toEqual(['bold', 'regular'])
})

test('the definition of the library loses the other weights', () => {
  const definition = readFileSync(join(DEFINITIONS, 'Timer.es.js'), 'utf8')
  const kept = keepWeights(definition, new Set(['duotone', 'bold']))
  expect([...kept.matchAll(/^ {4}"(\w+)",$/gm)].map(([, weight]) => weight)).toEqual([
    'bold',
    'duotone',
  ])
  expect(kept).toContain('export {')
})

test('the icons that manifests pass to the navigation keep every weight', () => {
  expect([...usedWeights(readSources()).get('UserCircle')!].toSorted()).toEqual(ALL)
})
