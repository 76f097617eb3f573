import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import { env, ready, setBackend, type Tensor, tensor4d, tidy } from '@tensorflow/tfjs-core'
import { loadLayersModel } from '@tensorflow/tfjs-layers'
import { MobileNetV2Model } from 'nsfwjs/models/mobilenet_v2'
import { SAMPLE_SIDE } from '../images/images.ts'
import type { Judgement } from './vision.ts'

/** The order of the model's output. */
const CLASSES = ['Drawing', 'Hentai', 'Neutral', 'Porn', 'Sexy'] as const
/** Little clothing is not nudity, and not far from it: the highest score of this class alone waits for review. */
const SEXY_WEIGHT = 0.5
/** The version of `nsfwjs` in package.json; a test compares them. */
export const MODEL_VERSION = '4.4.0'

interface ModelFile {
  readonly modelTopology: object
  readonly weightsManifest: readonly { readonly weights: WeightSpecs }[]
}
type WeightSpecs = NonNullable<Parameters<typeof toArtifacts>[1]>

/** The shape of the handler that `loadLayersModel` reads a model from. */
function toArtifacts(
  modelTopology: object,
  weightSpecs: { name: string; shape: number[]; dtype: 'float32' }[],
  weightData: ArrayBuffer,
) {
  return { load: async () => ({ modelTopology, weightSpecs, weightData }) }
}

/**
 * Loads the model from its package into the WebAssembly of this thread, without the network. One thread
 * computes: more threads would take processors from the server.
 */
export async function loadModel(): Promise<(sample: Uint8Array) => Promise<Judgement>> {
  const require = createRequire(import.meta.url)
  setWasmPaths(join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm')), '/'))
  env().set('WASM_HAS_MULTITHREAD_SUPPORT', false)
  await setBackend('wasm')
  await ready()
  const { modelTopology, weightsManifest } = await readDefault<ModelFile>(
    MobileNetV2Model.modelJson(),
  )
  const weights = await readDefault<string>(MobileNetV2Model.weightBundles[0]!())
  const weightData = Uint8Array.from(Buffer.from(weights, 'base64')).buffer
  const specs = weightsManifest.flatMap((group) => group.weights)
  const model = await loadLayersModel(toArtifacts(modelTopology, specs, weightData))
  return async (sample) => {
    const scores = tidy(() => {
      const pixels = Float32Array.from(sample, (channel) => channel / 255)
      return model.predict(tensor4d(pixels, [1, SAMPLE_SIDE, SAMPLE_SIDE, 3])) as Tensor
    })
    try {
      return getJudgement(await scores.data())
    } finally {
      scores.dispose()
    }
  }
}

async function readDefault<Content>(loading: Promise<unknown>): Promise<Content> {
  return ((await loading) as { default: Content }).default
}

function getJudgement(scores: ArrayLike<number>): Judgement {
  const toScore = (name: (typeof CLASSES)[number]) => scores[CLASSES.indexOf(name)]!
  const nudity = toScore('Porn') + toScore('Hentai') + SEXY_WEIGHT * toScore('Sexy')
  if (!Number.isFinite(nudity)) throw new Error('the model returned no number')
  return { nudity: Math.min(1, nudity), model: MobileNetV2Model.name, version: MODEL_VERSION }
}
