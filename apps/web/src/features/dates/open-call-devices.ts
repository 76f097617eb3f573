import { callDevices, videoInUse, type OpenDevices } from '../../shared/video/video-in-use.ts'

/**
 * Loads the call and opens camera and microphone for a call that opens later. Resolves to false if the browser gives
 * none of the two.
 */
export async function openCallDevices(): Promise<boolean> {
  videoInUse.set(true)
  const open = callDevices.getSnapshot() ?? (await loaded())
  return open()
}

function loaded(): Promise<OpenDevices> {
  return new Promise((resolve) => {
    const stop = callDevices.subscribe(() => {
      const open = callDevices.getSnapshot()
      if (!open) return
      stop()
      resolve(open)
    })
  })
}
