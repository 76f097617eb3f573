/**
 * The thread with the model. It gets pixels of a fixed size, and never a file of a user. So no decoder runs
 * here, and no picture takes more memory or time than another.
 */
import { parentPort } from 'node:worker_threads'
import { loadModel } from './nsfw-model.ts'

const judge = await loadModel()
parentPort!.on('message', (sample: Uint8Array) => {
  void judge(sample).then((judgement) => parentPort!.postMessage({ judgement }))
})
parentPort!.postMessage({ ready: true })
