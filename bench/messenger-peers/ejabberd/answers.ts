import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const READY_MS = 60_000
const POLL_MS = 100
const LINES_MAX = 20

/** The last lines of a process, for the error of a start that fails. */
export function outputOf(child: ChildProcess): () => string {
  const lines: string[] = []
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (text: string) => {
      lines.push(...text.split('\n'))
      lines.splice(0, lines.length - LINES_MAX)
    })
  return () => lines.join('\n')
}

/** Resolves once the process accepts connections at this port. */
export async function answers(port: number, child: ChildProcess, said: () => string) {
  for (const until = performance.now() + READY_MS; performance.now() < until;) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}:\n${said()}`)
    if (await accepts(port)) return
    await sleep(POLL_MS)
  }
  throw new Error(`nothing listens at ${port}:\n${said()}`)
}

async function accepts(port: number): Promise<boolean> {
  const tcp = connect(port, '127.0.0.1')
  try {
    await once(tcp, 'connect')
    return true
  } catch {
    return false
  } finally {
    tcp.destroy()
  }
}
