import { createConnection } from 'node:net'
import type { Outcome } from './commands.ts'
import { refuseForeignShell, shellPath } from './shell-path.ts'

export interface ShellRequest {
  readonly line: readonly string[]
  /** The operator's working directory; relative file names are resolved against it. */
  readonly cwd: string
}

const NOT_RUNNING_CODES: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED'])

/** Sends a command to the running server; undefined when no server runs on this folder. */
export async function askServer(
  dataDir: string,
  request: ShellRequest,
): Promise<Outcome | undefined> {
  refuseForeignShell(dataDir)
  return new Promise((resolve, reject) => {
    const socket = createConnection(shellPath(dataDir))
    let text = ''
    socket.setEncoding('utf8')
    socket.on('connect', () => socket.write(`${JSON.stringify(request)}\n`))
    socket.on('data', (piece: string) => (text += piece))
    socket.on('error', (error: NodeJS.ErrnoException) =>
      NOT_RUNNING_CODES.has(error.code ?? '') ? resolve(undefined) : reject(error),
    )
    socket.on('end', () =>
      text === ''
        ? reject(new Error('The server stopped before it answered.'))
        : resolve(JSON.parse(text) as Outcome),
    )
  })
}

/** True when a process listens on this socket. */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
