/** The permission that the browser has stored, without a question to the user; `unknown` where it cannot be queried. */
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
