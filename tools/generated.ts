/** Generated files (`*.gen.*`) and the programs that write them: every `generate.ts` or `generate-….ts` of the repository. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from './test/program.ts'
import { listFiles, ROOT } from './tree.ts'

const GENERATOR = /(^|\/)generate(-[a-z-]+)?\.ts$/
const GENERATED = /\.gen\.[a-z]+$/

type Snapshot = Map<string, string>

/** Runs every generator and returns what went wrong, one text per generator that failed. */
export async function generateAll(
  signal?: AbortSignal,
  say: (line: string) => void = () => {},
): Promise<string[]> {
  const trouble: string[] = []
  for (const generator of listFiles().filter((path) => GENERATOR.test(path))) {
    say(generator)
    const { code, output } = await run(process.execPath, [generator], {
      cwd: ROOT,
      ...(signal ? { signal } : {}),
    })
    if (code !== 0) trouble.push(`${generator} failed:\n${output}`)
  }
  return trouble
}

/** Generates into the tree, compares, and puts everything back as it was: a check changes nothing. */
export async function generatedComplaints(signal: AbortSignal): Promise<string[]> {
  const before = snapshot()
  const trouble = await generateAll(signal)
  const after = snapshot()
  restore(before, after)
  return [
    ...trouble,
    ...differences(before, after).map(
      (path) => `${path} is not what its generator writes: run \`npm run gen\` and commit`,
    ),
  ]
}

/** Paths that were changed, added or dropped. */
export function differences(before: Snapshot, after: Snapshot): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((path) => before.get(path) !== after.get(path))
    .sort()
}

function snapshot(): Snapshot {
  return new Map(
    listFiles()
      .filter((path) => GENERATED.test(path))
      .map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]),
  )
}

function restore(before: Snapshot, after: Snapshot): void {
  for (const path of differences(before, after)) {
    const text = before.get(path)
    if (text === undefined) rmSync(join(ROOT, path), { force: true })
    else {
      mkdirSync(dirname(join(ROOT, path)), { recursive: true })
      writeFileSync(join(ROOT, path), text)
    }
  }
}
