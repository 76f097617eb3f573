import { CheckTags } from './check-tags.tsx'
import { useLevel } from './device-checks.ts'

/** Light, sound and picture of the own devices, shown on the own picture while the camera is open. */
export function DeviceCheck() {
  const level = useLevel(true)
  return <CheckTags level={level} />
}
