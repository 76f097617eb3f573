/** Turns this process into another program: its exit code, its signals, its terminal. */
export function replaceProcess(
  program: string,
  args: string[],
  env?: NodeJS.ProcessEnv,
): Promise<never>
