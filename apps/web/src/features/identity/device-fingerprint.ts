import type { AppServices } from '../../shared/app-services.tsx'

/** Traits that a device shows without a permission: coarse, and the same at the next visit. */
function deviceTraits(): string {
  const { language, hardwareConcurrency, platform, maxTouchPoints } = navigator
  const { width, height, colorDepth } = screen
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return JSON.stringify([
    language,
    hardwareConcurrency,
    platform,
    maxTouchPoints,
    width,
    height,
    colorDepth,
    zone,
  ])
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Sends the device's fingerprint once for each authenticated user, so that several accounts of one device can be recognised. */
export function sendDeviceFingerprint({ connection, persistence }: AppServices): void {
  let sentForUser: number | undefined
  connection.on('snapshot', ({ phase, auth }) => {
    if (phase !== 'ready' || !auth || sentForUser === auth.user.id) return
    sentForUser = auth.user.id
    void (async () => {
      const fingerprint = persistence.get('fingerprint_hash') ?? (await sha256(deviceTraits()))
      persistence.set('fingerprint_hash', fingerprint)
      await connection.act('D_INFO', { fingerprint }).catch(() => {})
    })()
  })
}
