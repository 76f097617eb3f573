import { join } from 'node:path'
import { createModelThread, type ThreadLimits } from './model-thread.ts'
import type { Judgement, PictureJudge } from './vision.ts'

const LIMITS: ThreadLimits = {
  worker: join(import.meta.dirname, 'vision-worker.ts'),
  waiting_max: 50,
  answer_ms: 15_000,
}

/** Judges one picture at a time in a thread. */
export function createWorkerJudge(limits: Partial<ThreadLimits> = {}): PictureJudge {
  const ask = createModelThread<Uint8Array, { judgement: Judgement }>({ ...LIMITS, ...limits })
  return {
    async judge(sample) {
      const answer = await ask(sample)
      return typeof answer === 'string' ? answer : answer.judgement
    },
  }
}
