/** This many judged frames in a row with too high a score end a public call. */
const FRAMES_RUNNING = 3

/** A call as its judged frames show it. Frames that are missing or that no model judged change nothing. */
export interface FrameCourse {
  /** The scores of the latest judged frames, the newest first. */
  readonly scores: readonly number[]
  readonly is_warned: boolean
}

export type FrameDecision = 'none' | 'warn' | 'end'

/** The girl is warned at the first frame that shows nudity, once a call. If she goes on, the call ends. */
export function decideOnFrames(
  { scores, is_warned }: FrameCourse,
  endScore: number,
): FrameDecision {
  const calm = scores.findIndex((score) => score < endScore)
  const running = calm === -1 ? scores.length : calm
  if (running === 0) return 'none'
  if (!is_warned) return 'warn'
  return running >= FRAMES_RUNNING ? 'end' : 'none'
}

/** How many of the latest scores `decideOnFrames` looks at. */
export const SCORES_MAX = FRAMES_RUNNING

/** A page may lose a frame or two with its network. */
const MISSED_MIN = 3

/** Whether it is recorded that frames were missing in a call. The answer to the last request may be on its way. */
export function isMissing({ asked, received }: { asked: number; received: number }): boolean {
  return asked - 1 - received >= MISSED_MIN
}
