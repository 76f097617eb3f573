import type { ReactNode } from 'react'

export interface VideoHomeProps {
  /** The visitor pressed Start on the landing page and is of age: begin with the camera. */
  starts_at_once?: boolean
  /** A visitor without account stopped: back to the landing page. */
  onLeave?: () => void
}

/** Everything of video on `/`: idle screens, search, offer, call, receipt. */
export function VideoHome(_: VideoHomeProps): ReactNode {
  return null
}
