import type { AppServices } from '../shared/app-services.tsx'

/** What a device shows of itself without being asked: coarse, and the same at the next visit. */
function traits(): string {
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

async function hashed(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Tells which device this is once somebody is known on the line, so that accounts of one device can be told apart from many. */
export function sendDeviceFingerprint({ connection, persistence }: AppServices): void {
  let told_for: number | undefined
  connection.on('snapshot', ({ phase, auth }) => {
    if (phase !== 'ready' || !auth || told_for === auth.user.id) return
    told_for = auth.user.id
    void (async () => {
      const fingerprint = persistence.get('fingerprint_hash') ?? (await hashed(traits()))
      persistence.set('fingerprint_hash', fingerprint)
      await connection.act('D_INFO', { fingerprint }).catch(() => {})
    })()
  })
}
