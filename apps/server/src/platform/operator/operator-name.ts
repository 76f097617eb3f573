import type { CommandArguments } from '../../core/module.ts'

/** The person at the shell, for the record: `--as NAME`. */
export function operatorName({ options }: CommandArguments): string {
  return typeof options.as === 'string' && /^[\p{L}\p{N} ._@-]{1,60}$/u.test(options.as)
    ? options.as
    : 'operator'
}
