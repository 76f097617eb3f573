/**
 * The thread with the models of faces. It gets pixels of a limited size, and never a file of a user. So no decoder runs here.
 */
import { parentPort } from 'node:worker_threads'
import type { RawPicture } from '../images/images.ts'
import { loadFaceModel } from './face-model.ts'

const look = await loadFaceModel()
parentPort!.on('message', (picture: RawPicture) => {
  void look(picture).then((found) => parentPort!.postMessage({ found }))
})
parentPort!.postMessage({ ready: true })
