/** Turns this process into another program: its exit code, its signals, its terminal. */
export function become(program: string, args: string[], env?: NodeJS.ProcessEnv): Promise<never>
