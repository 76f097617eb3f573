import { classifyMediaError } from './media-failure.ts'
import type { MediaFailure } from './media-failure.ts'
import type { DeviceKind, DevicesPort, Strength } from '../ports.ts'

export interface DeviceChoice {
  camera_id: string | null
  microphone_id: string | null
  /** Null if the device has only one camera or the user never changed the camera. */
  facing: 'user' | 'environment' | null
}

export interface Captured {
  audio: MediaStreamTrack | null
  video: MediaStreamTrack | null
  failure: MediaFailure | null
}

export interface CaptureWish {
  camera: boolean
  microphone: boolean
  choice: DeviceChoice
  strength: Strength
}

const NO_CHOICE: DeviceChoice = { camera_id: null, microphone_id: null, facing: null }

/**
 * Asks the user once for camera and microphone. Never rejects: the result has the open devices and, in `failure`, the
 * reason for each missing device. If a chosen device is gone, the browser chooses another device.
 */
export async function capture(devices: DevicesPort, wish: CaptureWish): Promise<Captured> {
  const first = await ask(devices, wish)
  if (!first.failure) return first
  const chosen = wish.choice.camera_id ?? wish.choice.microphone_id ?? wish.choice.facing
  const second =
    first.failure.kind === 'no_device' && chosen
      ? await ask(devices, { ...wish, choice: NO_CHOICE })
      : first
  if (!second.failure || !wish.camera || !wish.microphone) return second
  return second.failure.kind === 'in_use' || second.failure.kind === 'no_device'
    ? oneByOne(devices, wish)
    : second
}

/**
 * After a failed request for both, the browser does not name the failed device. So each device is requested alone. Each
 * request names the chosen device again: a camera in use is no reason to replace the chosen microphone.
 */
async function oneByOne(devices: DevicesPort, wish: CaptureWish): Promise<Captured> {
  const { video, failure: of_camera } = await capture(devices, { ...wish, microphone: false })
  const { audio, failure: of_microphone } = await capture(devices, { ...wish, camera: false })
  const both = of_camera && of_camera.kind === of_microphone?.kind
  return {
    audio,
    video,
    failure: both ? { ...of_camera, device: 'both' } : (of_camera ?? of_microphone),
  }
}

async function ask(devices: DevicesPort, wish: CaptureWish): Promise<Captured> {
  try {
    const stream = await devices.getUserMedia(captureConstraints(wish))
    const [audio = null] = stream.getAudioTracks()
    const [video = null] = stream.getVideoTracks()
    return { audio, video, failure: null }
  } catch (error) {
    return {
      audio: null,
      video: null,
      failure: { ...classifyMediaError(error), device: getDevice(wish) },
    }
  }
}

function getDevice({ camera, microphone }: CaptureWish): DeviceKind | 'both' {
  return camera && microphone ? 'both' : camera ? 'camera' : 'microphone'
}

/**
 * A strong device and network carry 1280x720. Otherwise 640x480 is captured: the encoder pays for every captured pixel,
 * even if fewer pixels are sent.
 */
export function captureConstraints({
  camera,
  microphone,
  choice,
  strength,
}: CaptureWish): MediaStreamConstraints {
  const size = strength === 'strong' ? { width: 1280, height: 720 } : { width: 640, height: 480 }
  return {
    audio: microphone && {
      echoCancellation: true,
      noiseSuppression: true,
      autoGainControl: true,
      ...(choice.microphone_id && { deviceId: { exact: choice.microphone_id } }),
    },
    video: camera && {
      width: { ideal: size.width },
      height: { ideal: size.height },
      frameRate: { ideal: 30, max: 30 },
      ...(choice.camera_id && !choice.facing
        ? { deviceId: { exact: choice.camera_id } }
        : { facingMode: { ideal: choice.facing ?? 'user' } }),
    },
  }
}
