/** What the browser would answer without asking anybody; `unknown` where it cannot be asked. */
export async function cameraPermission(): Promise<PermissionState | 'unknown'> {
  try {
    const states = await Promise.all(
      ['camera', 'microphone'].map((name) =>
        navigator.permissions.query({ name: name as PermissionName }),
      ),
    )
    if (states.every(({ state }) => state === 'granted')) return 'granted'
    return states.some(({ state }) => state === 'denied') ? 'denied' : 'prompt'
  } catch {
    return 'unknown'
  }
}
