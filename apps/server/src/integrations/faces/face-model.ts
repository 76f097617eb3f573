import { readFile } from 'node:fs/promises'
import { createRequire, registerHooks } from 'node:module'
import { dirname, join } from 'node:path'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import * as tensorflow from '@tensorflow/tfjs-core'
import type * as faceApiModule from '@vladmandic/face-api'
import type { RawPicture } from '../images/images.ts'
import type { FaceLook } from './faces.ts'

type FaceApi = typeof faceApiModule
type LoadableNet = Pick<FaceApi['nets']['tinyFaceDetector'], 'loadFromWeightMap'>

/** Side of the square in which faces are searched; a multiple of 32. */
const DETECTOR_SIDE = 320
/** Low, because a missed face costs more here than a wrong face, whose numbers match no person. */
const DETECTOR_SCORE_MIN = 0.3

/**
 * Loads the models from their package into the WebAssembly of this thread, without the network. One thread computes: more
 * threads would take processors from the server.
 */
export async function loadFaceModel(): Promise<(picture: RawPicture) => Promise<FaceLook>> {
  const require = createRequire(import.meta.url)
  setWasmPaths(join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm')), '/'))
  tensorflow.env().set('WASM_HAS_MULTITHREAD_SUPPORT', false)
  await tensorflow.setBackend('wasm')
  await tensorflow.ready()
  const faceApi = requireFaceApi(require)
  const models = join(dirname(require.resolve('@vladmandic/face-api')), '../model')
  const { tinyFaceDetector, faceLandmark68Net, faceRecognitionNet } = faceApi.nets
  await loadNet(tinyFaceDetector, join(models, 'tiny_face_detector_model'))
  await loadNet(faceLandmark68Net, join(models, 'face_landmark_68_model'))
  await loadNet(faceRecognitionNet, join(models, 'face_recognition_model'))
  const options = new faceApi.TinyFaceDetectorOptions({
    inputSize: DETECTOR_SIDE,
    scoreThreshold: DETECTOR_SCORE_MIN,
  })

  async function readFace(
    { pixels, width, height }: RawPicture,
    isMirrored: boolean,
  ): Promise<readonly number[] | 'none' | 'many'> {
    const input = tensorflow.tidy(() => {
      const upright = tensorflow.tensor3d(Float32Array.from(pixels), [height, width, 3])
      return isMirrored ? tensorflow.reverse(upright, 1) : upright
    }) as never
    try {
      const detected = await faceApi.detectAllFaces(input, options)
      // The numbers of each face of a crowd would take longer than a picture may.
      if (detected.length !== 1) return detected.length === 0 ? 'none' : 'many'
      const found = detected.map((detection) => faceApi.extendWithFaceDetection({}, detection))
      const [face] = await new faceApi.DetectAllFaceLandmarksTask(
        Promise.resolve(found),
        input,
        false,
      ).withFaceDescriptors()
      return face ? [...face.descriptor] : 'none'
    } finally {
      tensorflow.dispose(input)
    }
  }

  return async (picture) => {
    const face = await readFace(picture, false)
    if (typeof face === 'string') return face
    const mirrored = await readFace(picture, true)
    return { face, mirrored: typeof mirrored === 'string' ? face : mirrored }
  }
}

/**
 * The package asks for the whole of TensorFlow.js and uses its core. The core lacks only the methods of tensors that the whole
 * adds, and these few are added here.
 */
function requireFaceApi(require: NodeJS.Require): FaceApi {
  registerHooks({
    resolve: (name, context, next) =>
      next(name === '@tensorflow/tfjs' ? '@tensorflow/tfjs-core' : name, context),
  })
  const { add, sub, mul, div, cast, mean, slice, reshape, clipByValue, expandDims } = tensorflow
  const toShape = (tensor: tensorflow.Tensor, ...shape: number[]) => reshape(tensor, shape)
  const functions: Record<string, (tensor: never, ...rest: never[]) => unknown> = {
    add,
    sub,
    mul,
    div,
    cast,
    mean,
    slice,
    reshape,
    clipByValue,
    expandDims,
    as1D: (tensor: tensorflow.Tensor) => reshape(tensor, [-1]),
    as2D: toShape,
    as3D: toShape,
    as4D: toShape,
    toInt: (tensor: tensorflow.Tensor) => cast(tensor, 'int32'),
  }
  for (const [name, run] of Object.entries(functions))
    Object.defineProperty(tensorflow.Tensor.prototype, name, {
      value(this: never, ...rest: never[]) {
        return run(this, ...rest)
      },
    })
  return require('@vladmandic/face-api/dist/face-api.node-wasm.js') as FaceApi
}

/** A model is a list of its weights, and their bytes beside it. */
async function loadNet(net: LoadableNet, path: string): Promise<void> {
  const groups = JSON.parse(
    await readFile(`${path}-weights_manifest.json`, 'utf8'),
  ) as tensorflow.io.WeightsManifestConfig
  const bytes = Uint8Array.from(await readFile(`${path}.bin`)).buffer
  const weights = groups.flatMap((group) => group.weights)
  net.loadFromWeightMap(tensorflow.io.decodeWeights(bytes, weights) as never)
}
