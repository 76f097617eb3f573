/** The permission that the browser has stored. Asks the user nothing. If the browser has no such query, `unknown`. */
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
