/** FACE_STATE as a page sent it. */
export interface FaceReport {
  readonly present: boolean
  /** How long it has been so. */
  readonly since_ms: number
}

export interface FaceFacts {
  /** A search or a call of the girl goes on. */
  readonly is_expected: boolean
  /** When she was last recorded without a face. */
  readonly recorded_at_ms: number | undefined
  readonly now_ms: number
}

/** Whether a report is an absence: one for each stretch without a face, however often it is reported. */
export function isAbsence(
  { present, since_ms }: FaceReport,
  { is_expected, recorded_at_ms, now_ms }: FaceFacts,
  absenceMs: number,
): boolean {
  if (present || !is_expected || absenceMs === 0 || since_ms < absenceMs) return false
  return recorded_at_ms === undefined || recorded_at_ms < now_ms - since_ms
}
