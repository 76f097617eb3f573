import type { DeviceKind } from '../ports.ts'

/**
 * Why the own picture or sound is missing:
 *
 * - `denied`: the user refused.
 * - `dismissed`: the user closed the question without an answer.
 * - `denied_by_system`: the operating system refused.
 * - `no_device`: no device is plugged in.
 * - `in_use`: another application uses the device.
 * - `unsupported`: this browser or page cannot use devices.
 */
export type MediaFailureKind =
  | 'denied'
  | 'dismissed'
  | 'denied_by_system'
  | 'no_device'
  | 'in_use'
  | 'unsupported'
  | 'unknown'

export interface MediaFailure {
  kind: MediaFailureKind
  device: DeviceKind | 'both'
  /** The browser's own name of the error, for `/log/camera`. */
  error: string
}

const KIND_BY_NAME: Record<string, MediaFailureKind> = {
  NotAllowedError: 'denied',
  PermissionDeniedError: 'denied',
  SecurityError: 'unsupported',
  NotFoundError: 'no_device',
  DevicesNotFoundError: 'no_device',
  OverconstrainedError: 'no_device',
  ConstraintNotSatisfiedError: 'no_device',
  NotReadableError: 'in_use',
  TrackStartError: 'in_use',
  AbortError: 'in_use',
  TypeError: 'unsupported',
  NotSupportedError: 'unsupported',
}

export function classifyMediaError(error: unknown): { kind: MediaFailureKind; error: string } {
  const { name = 'Error', message = '' } = (
    typeof error === 'object' && error !== null ? error : {}
  ) as Partial<Error>
  const kind = KIND_BY_NAME[name] ?? 'unknown'
  const text = message ? `${name}: ${message}` : name
  if (kind !== 'denied') return { kind, error: text }
  if (/dismissed/i.test(message)) return { kind: 'dismissed', error: text }
  return { kind: /system/i.test(message) ? 'denied_by_system' : 'denied', error: text }
}

export function isRefused(failure: MediaFailure | null): boolean {
  return (
    failure?.kind === 'denied' ||
    failure?.kind === 'dismissed' ||
    failure?.kind === 'denied_by_system'
  )
}
