import { spawnSync } from 'node:child_process'
import { listFiles, ROOT } from './tree.ts'

/**
 * Runs the programs whose path matches `pattern`, ordered by name, in the foreground. The first group of
 * `pattern` is a program's name. Without `asked` all programs run. Returns the exit code: 1 if a program
 * failed or an asked program does not exist.
 */
export function runScripts(kind: string, pattern: RegExp, asked: string[]): number {
  const programs = listFiles().flatMap((path) => {
    const name = pattern.exec(path)?.[1]
    return name === undefined ? [] : [{ name, path }]
  })
  const names = asked.filter((arg) => !arg.startsWith('-'))
  const unknown = names.filter((name) => !programs.some((program) => program.name === name))
  if (unknown.length > 0 || programs.length === 0) {
    console.error(
      `There is no ${kind} ${unknown.join(', ')}. There are: ${programs.map(({ name }) => name).join(', ') || 'none'}`,
    )
    return 1
  }
  let code = 0
  for (const { name, path } of programs.filter(
    (program) => names.length === 0 || names.includes(program.name),
  )) {
    console.log(`\n${kind} ${name}`)
    const ended = spawnSync(
      process.execPath,
      [path, ...asked.filter((arg) => arg.startsWith('-'))],
      {
        cwd: ROOT,
        stdio: 'inherit',
      },
    )
    if (ended.status !== 0) code = 1
  }
  return code
}
