/** A hyphen as the value of an option stands for the standard input. */
const FROM_INPUT = '-'

/**
 * Replaces `--option -` with the first line of the standard input. Other accounts can read the arguments of
 * a process, so a password must not be an argument.
 */
export async function withInput(
  line: readonly string[],
  readInput: () => Promise<string>,
): Promise<readonly string[]> {
  const at = line.findIndex(
    (part, index) => part === FROM_INPUT && line[index - 1]?.startsWith('--'),
  )
  if (at < 0) return line
  const [value = ''] = (await readInput()).split(/\r?\n/)
  return line.with(at, value)
}
