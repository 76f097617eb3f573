import { isRefusal } from '../../lib/refusal.ts'
import type { App } from '../../core/app.ts'
import { StartRefused } from '../../lib/configuration/start-refused.ts'
import type { OperatorCommand, CommandArguments, Module } from '../../core/module.ts'

/** The operator asked for something impossible; the message is one sentence. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}

export type Commands = ReadonlyMap<string, OperatorCommand>

export interface Outcome {
  readonly exit_code: 0 | 1 | 2
  /** Printed as JSON on the standard output; with an exit code other than 0, `{ error, … }`. */
  readonly answer: unknown
}

export function collectCommands(
  modules: readonly Module[],
  own: Readonly<Record<string, OperatorCommand>>,
): Commands {
  const commands = new Map<string, OperatorCommand>(Object.entries(own))
  for (const { name: module, commands: added } of modules) {
    for (const [name, command] of Object.entries(added ?? {})) {
      if (commands.has(name))
        throw new Error(`Impossible: ${module} adds the command ${name}, which exists`)
      commands.set(name, command)
    }
  }
  return commands
}

/** Runs one line of the operator's shell. */
export async function runCommand(
  app: App,
  commands: Commands,
  line: readonly string[],
  cwd = process.cwd(),
): Promise<Outcome> {
  const found = findCommand(commands, line)
  if (!found)
    return {
      exit_code: 2,
      answer: { error: `There is no command ${line.join(' ')}: duet help lists them.` },
    }
  try {
    return {
      exit_code: 0,
      answer: (await found.command.run(app, parseArguments(found.rest, cwd))) ?? {},
    }
  } catch (error) {
    if (isRefusal(error))
      return {
        exit_code: 1,
        answer: { error: error.message, refusal: error.refusal, ...error.additional },
      }
    if (error instanceof CommandRefused || error instanceof StartRefused)
      return { exit_code: 1, answer: { error: error.message } }
    app.log.error({ err: error, command: found.name }, 'a command failed')
    return {
      exit_code: 1,
      answer: { error: error instanceof Error ? error.message : String(error) },
    }
  }
}

/** Finds the command with the longest name that the line begins with: `user add` before `user`. */
export function findCommand<C>(
  commands: ReadonlyMap<string, C>,
  line: readonly string[],
): { name: string; command: C; rest: readonly string[] } | undefined {
  for (let words = Math.min(3, line.length); words > 0; words -= 1) {
    const name = line.slice(0, words).join(' ')
    const command = commands.get(name)
    if (command) return { name, command, rest: line.slice(words) }
  }
  return undefined
}

/** `--key value`, `--key=value`, a bare `--key` at the end or before another option; everything else is a word. */
export function parseArguments(line: readonly string[], cwd: string): CommandArguments {
  const words: string[] = []
  const options = new Map<string, string | true>()
  for (let at = 0; at < line.length; at += 1) {
    const part = line[at]!
    const option = /^--([a-z][a-z-]*)(?:=([\s\S]*))?$/.exec(part)
    if (!option) {
      words.push(part)
      continue
    }
    const next = line[at + 1]
    if (option[2] !== undefined) options.set(option[1]!, option[2])
    else if (next !== undefined && !/^--[a-z]/.test(next)) {
      options.set(option[1]!, next)
      at += 1
    } else options.set(option[1]!, true)
  }
  return { words, options: Object.fromEntries(options), cwd }
}

/** `duet help`. */
export function getHelp(
  commands: ReadonlyMap<string, Pick<OperatorCommand, 'args' | 'summary'>>,
): object {
  return Object.fromEntries(
    [...commands].map(([name, { args, summary }]) => [args ? `${name} ${args}` : name, summary]),
  )
}
