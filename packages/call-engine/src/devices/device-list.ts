import type { DevicesPort } from '../ports.ts'
import type { LocalMediaSnapshot } from './local-media-snapshot.ts'

/** The cameras and microphones of this computer. If the browser does not list them, the list is empty. */
export async function listDevices(
  devices: DevicesPort,
): Promise<Pick<LocalMediaSnapshot, 'cameras' | 'microphones'>> {
  const found = await devices.enumerateDevices().catch(() => [])
  const options = (kind: MediaDeviceKind) =>
    found
      .filter((each) => each.kind === kind)
      .map(({ deviceId, label }) => ({ device_id: deviceId, label }))
  return { cameras: options('videoinput'), microphones: options('audioinput') }
}
