import { Human } from '@vladmandic/human'
import portraitAddress from '../../../../assets/sofia.jpg'
import { isFace, SCORE_MIN } from './face-size.ts'
import { FACE_FILES } from './face-files.ts'

const OFF = { enabled: false } as const
/** The model looks at 256 pixels: a larger picture costs time and shows no more. */
const WIDTH = 320

/** Finds faces on this device: nothing of the picture leaves it. */
export interface FaceFinder {
  /** Undefined: there is no picture to look at. */
  seesFace(track: MediaStreamTrack): Promise<boolean | undefined>
  /** Releases the camera. */
  rest(): void
}

/** @throws if the library cannot be loaded, or does not find the face of a known portrait */
export async function openFaceFinder(): Promise<FaceFinder> {
  const human = createHuman()
  const canvas = document.createElement('canvas')
  const findFace = async (source: CanvasImageSource, width: number, height: number) => {
    canvas.width = WIDTH
    canvas.height = Math.round((WIDTH * height) / width)
    canvas.getContext('2d')?.drawImage(source, 0, 0, canvas.width, canvas.height)
    const { face, error } = await human.detect(canvas)
    if (error) throw new Error(error)
    return face.some(({ boxScore, box }) => isFace({ score: boxScore, width: box[2] / WIDTH }))
  }
  await human.load()
  const portrait = new Image()
  portrait.src = portraitAddress
  await portrait.decode()
  // Without its model the library says that there is no face, and she would be absent.
  if (!(await findFace(portrait, portrait.naturalWidth, portrait.naturalHeight)))
    throw new Error('The finder of faces misses the face of a portrait.')

  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  let watched: MediaStreamTrack | null = null
  return {
    async seesFace(track) {
      if (watched !== track) {
        watched = track
        video.srcObject = new MediaStream([track])
        await video.play()
      }
      if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.videoWidth === 0)
        return undefined
      return findFace(video, video.videoWidth, video.videoHeight)
    },
    rest() {
      watched = null
      video.srcObject = null
    },
  }
}

/** Only the finder of faces: neither who it is, nor an age, nor a mood. */
function createHuman(): Human {
  return new Human({
    backend: 'wasm',
    wasmPath: FACE_FILES,
    modelBasePath: FACE_FILES,
    debug: false,
    cacheModels: false,
    validateModels: false,
    warmup: 'none',
    cacheSensitivity: 0,
    filter: OFF,
    gesture: OFF,
    body: OFF,
    hand: OFF,
    object: OFF,
    segmentation: OFF,
    face: {
      enabled: true,
      detector: {
        modelPath: 'blazeface.json',
        rotation: false,
        maxDetected: 3,
        minConfidence: SCORE_MIN,
        return: false,
      },
      mesh: OFF,
      attention: OFF,
      iris: OFF,
      description: OFF,
      emotion: OFF,
      antispoof: OFF,
      liveness: OFF,
      gear: OFF,
    },
  })
}
