import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Outcome } from './commands.ts'
import { isListening, type ShellRequest } from './shell-client.ts'
import { ensureShellDirectory, shellPath } from './shell-path.ts'
import { ensureDataDirectory } from '../data-directory.ts'
import { StartRefused } from '../../lib/configuration/start-refused.ts'

const LINE_MAX_BYTES = 64 * 1024
const READ_TIMEOUT_MS = 10_000

/**
 * Listens on `DATA_DIR/duet.sock`. An account that may open the file (its owner, mode 0600) can operate the server.
 * @throws StartRefused when another server already listens there
 */
export async function openShell(
  dataDir: string,
  run: (request: ShellRequest) => Promise<Outcome>,
): Promise<{ close(): Promise<void> }> {
  const path = shellPath(dataDir)
  ensureDataDirectory(dataDir)
  ensureShellDirectory(dataDir)
  if (await isListening(path))
    throw new StartRefused(
      `Another Duet is running on ${dirname(path)}: stop it, or set DATA_DIR to another folder.`,
    )
  // No process answers, so an existing file was left by a process that was killed.
  if (process.platform !== 'win32') rmSync(path, { force: true })
  const server = createServer((socket) => void serve(socket, run))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    const before = process.umask(0o177)
    server.listen(path, () => resolve())
    process.umask(before)
  })
  if (process.platform !== 'win32') chmodSync(path, 0o600)
  server.unref()
  return { close: () => new Promise((resolve) => server.close(() => resolve())) }
}

async function serve(
  socket: Socket,
  run: (request: ShellRequest) => Promise<Outcome>,
): Promise<void> {
  socket.on('error', () => {})
  socket.setTimeout(READ_TIMEOUT_MS, () => socket.destroy())
  let text = ''
  for await (const piece of socket.setEncoding('utf8') as AsyncIterable<string>) {
    text += piece
    if (text.length > LINE_MAX_BYTES) return void socket.destroy()
    const end = text.indexOf('\n')
    if (end < 0) continue
    socket.setTimeout(0)
    const outcome = await runRequest(text.slice(0, end), run)
    // Amounts are bigints, which JSON cannot represent.
    socket.end(
      `${JSON.stringify(outcome, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value))}\n`,
    )
    return
  }
}

async function runRequest(
  text: string,
  run: (request: ShellRequest) => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await run(JSON.parse(text) as ShellRequest)
  } catch (error) {
    return { exit_code: 1, answer: { error: String(error) } }
  }
}
