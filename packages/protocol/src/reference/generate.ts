import { readFileSync, writeFileSync } from 'node:fs'
import { permissionsReference } from './permissions-reference.ts'
import { errorsReference, wireReference } from './wire-reference.ts'

export { openApi } from './openapi.ts'

const docs = new URL('../../../../docs/', import.meta.url)

/** The generated pages by their file names below `docs/`. */
export function pages(): Record<string, string> {
  return {
    'wire.gen.md': wireReference(),
    'errors.gen.md': errorsReference(),
    'permissions.gen.md': permissionsReference(),
  }
}

/** The pages that differ from what is in `docs/`. */
export function stalePages(): string[] {
  return Object.entries(pages())
    .filter(([name, text]) => written(name) !== text)
    .map(([name]) => name)
}

function written(name: string): string | undefined {
  try {
    return readFileSync(new URL(name, docs), 'utf8')
  } catch {
    return undefined
  }
}

if (import.meta.main) {
  const stale = stalePages()
  if (process.argv.includes('--check')) {
    if (stale.length > 0)
      console.error(
        `Out of date: ${stale.map((name) => `docs/${name}`).join(', ')}. Run npm run gen.`,
      )
    process.exitCode = stale.length > 0 ? 1 : 0
  } else {
    for (const [name, text] of Object.entries(pages())) writeFileSync(new URL(name, docs), text)
    console.log(stale.length > 0 ? `Wrote ${stale.join(', ')}` : 'Nothing changed')
  }
}
