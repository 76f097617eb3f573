import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sandboxed } from '../sandbox/sandbox.ts'
import type { EncodeAnswer, EncodeRequest } from './image-worker.ts'

const WORKER = join(import.meta.dirname, 'image-worker.ts')
/** The worker stops decoding by itself after five seconds. This limit ends a worker that cannot stop. */
const ANSWER_LIMIT_MS = 15_000
/** A machine under load takes long to start a process. */
const START_LIMIT_MS = 60_000
const MEGABYTE = 1024 * 1024
/** Node reserves 640 MB that it does not use; 256 MB remain for one picture. */
const MEMORY_BYTES = (640 + 256) * MEGABYTE
/** It writes no file. */
const FILE_BYTES = 0
/** The programs of the worker, and nothing of the installation's data: neither keys nor files of other users. */
const SHARP = fileURLToPath(import.meta.resolve('sharp'))
const PACKAGES = `${sep}node_modules${sep}`
const LIBRARIES = SHARP.slice(0, SHARP.lastIndexOf(PACKAGES)) + PACKAGES
export const NODE_ARGUMENTS: readonly string[] = [
  '--permission',
  '--allow-addons',
  ...[import.meta.dirname + sep, LIBRARIES].map((folder) => `--allow-fs-read=${folder}`),
  '--disable-warning=PERM0001',
  '--max-old-space-size=64',
]

/** Each picture is encoded in a child process of its own. An idle process is used again. */
const idle: ChildProcess[] = []

/**
 * Encodes a picture in a child process with limits of memory and time. Undefined also if the picture ended
 * the process: the next picture gets a new process. `busy` if no process could be started: the picture was
 * not decoded. All callers in this server process share the child processes, which end with it.
 */
export async function encodeInWorker<Request extends EncodeRequest>(
  request: Request,
): Promise<EncodeAnswer<Request> | 'busy'> {
  const worker = idle.pop() ?? (await startedWorker())
  if (worker === undefined) return 'busy'
  const encoded = await askWorker(worker, request)
  if (worker.connected) {
    hold(worker, false)
    idle.push(worker)
  }
  return encoded
}

/**
 * The same, in a process that decodes nothing else. If a picture takes over its process, it reaches no
 * document, and a document reaches no picture.
 */
export async function encodeInNewWorker<Request extends EncodeRequest>(
  request: Request,
): Promise<EncodeAnswer<Request> | 'busy'> {
  const worker = await startedWorker()
  if (worker === undefined) return 'busy'
  const encoded = await askWorker(worker, request)
  if (worker.exitCode === null && worker.signalCode === null) {
    const ended = once(worker, 'exit')
    worker.kill('SIGKILL')
    await ended
  }
  return encoded
}

async function startedWorker(): Promise<ChildProcess | undefined> {
  const limits = { memory_bytes: MEMORY_BYTES, file_bytes: FILE_BYTES }
  const { command, args } = sandboxed(limits, process.execPath, [...NODE_ARGUMENTS, WORKER])
  const worker = spawn(command, args, {
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  })
  worker.once('exit', () => {
    const place = idle.indexOf(worker)
    if (place >= 0) idle.splice(place, 1)
  })
  // A process that could not be started or written to has no answer.
  worker.on('error', () => worker.kill('SIGKILL'))
  const started = await findAnswer<{ ready: true }>(worker, START_LIMIT_MS)
  return started && worker
}

async function askWorker<Request extends EncodeRequest>(
  worker: ChildProcess,
  request: Request,
): Promise<EncodeAnswer<Request>> {
  hold(worker, true)
  const answer = findAnswer<{ encoded: EncodeAnswer<Request> }>(worker, ANSWER_LIMIT_MS)
  worker.send(request, (error) => error && worker.kill('SIGKILL'))
  return (await answer)?.encoded as EncodeAnswer<Request>
}

/** The next message of a worker; undefined when the worker ends first, or is ended because it takes too long. */
async function findAnswer<Answer>(
  worker: ChildProcess,
  limitMs: number,
): Promise<Answer | undefined> {
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>()
  const timer = setTimeout(() => worker.kill('SIGKILL'), limitMs)
  const onMessage = (answer: Answer) => resolve(answer)
  const onEnd = () => resolve(undefined)
  worker.once('message', onMessage as (message: unknown) => void)
  worker.once('exit', onEnd).once('error', onEnd)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
    worker
      .off('message', onMessage as (message: unknown) => void)
      .off('exit', onEnd)
      .off('error', onEnd)
  }
}

/** An idle worker does not keep the server process alive. */
function hold(worker: ChildProcess, busy: boolean): void {
  if (busy) {
    worker.ref()
    worker.channel?.ref()
  } else {
    worker.unref()
    worker.channel?.unref()
  }
}
