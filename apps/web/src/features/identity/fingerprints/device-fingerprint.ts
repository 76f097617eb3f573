import type { AppServices } from '../../../shared/app-services.tsx'
import { followConnection } from '../../../shared/connection/follow-connection.ts'

/**
 * Sends the device's fingerprints after each AUTH, so that the server can recognise several accounts of a device. The
 * server forgets a guest's fingerprints when the connection ends, so a guest sends them again.
 */
export function sendDeviceFingerprint(services: AppServices): void {
  followConnection(services.connection, {
    connected() {
      import('./send-fingerprints.ts')
        .then(({ sendFingerprints }) => sendFingerprints(services))
        // Without a fingerprint the device counts as an unknown device. No action of the user depends on the
        // fingerprint.
        .catch(() => {})
    },
  })
}
