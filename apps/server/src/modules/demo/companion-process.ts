import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { App } from '../../core/app.ts'
import type { CompanionOrder, CompanionReport } from './companion/orders.ts'

const MAIN = fileURLToPath(new URL('companion/main.ts', import.meta.url))

export interface CompanionProcess {
  /** Starts the process with the first order. */
  send(order: CompanionOrder): void
  stop(): void
}

/**
 * The process of the companions: media of many calls must not delay the server. If the process ends, its companions are
 * over, and the next order starts another process.
 */
export function createCompanionProcess(
  log: App['log'],
  onOver: (over: Pick<CompanionReport, 'user_id' | 'tab_id'>) => void,
): CompanionProcess {
  let child: ChildProcess | undefined
  const playing = new Map<string, CompanionReport>()

  function start(): ChildProcess {
    // The process needs nothing of the environment, which may have secrets.
    const started = fork(MAIN, {
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    started.on('message', (report: CompanionReport) => {
      const { problem, user_id, tab_id } = report
      if (problem !== undefined) log.warn({ user_id, problem }, 'a companion could not go on')
      playing.delete(tab_id)
      onOver(report)
    })
    started.on('error', (error) =>
      log.error({ err: error }, 'the process of the companions failed'),
    )
    started.on('exit', (code) => {
      if (child !== started) return
      child = undefined
      log.warn({ code }, 'the process of the companions has ended')
      for (const over of playing.values()) onOver(over)
      playing.clear()
    })
    return started
  }

  return {
    send(order) {
      const { type, user_id, tab_id } = order
      if (type === 'leave' && !child) return
      child ??= start()
      if (type === 'play') playing.set(tab_id, { type: 'over', user_id, tab_id })
      child.send(order, (error) => {
        if (error) log.warn({ err: error }, 'an order of a companion was not sent')
      })
    },
    stop() {
      const stopped = child
      child = undefined
      stopped?.kill()
    },
  }
}
