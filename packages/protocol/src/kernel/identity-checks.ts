import type { DeclineReason } from './rule-names.ts'

/** The points that staff confirm before they verify a user. The gesture is one where the user was asked for a gesture. */
export const checkPoints = ['genuine', 'valid', 'same_person', 'birthday', 'gesture'] as const
export type CheckPoint = (typeof checkPoints)[number]

/** With these reasons the user can send something better. */
export const askAgainReasons = [
  'unreadable',
  'document_expired',
  'document_unknown',
  'gesture_missing',
  'birthday_differs',
  'other',
] as const satisfies readonly DeclineReason[]

/** A gesture such as `left 3 chin`, as the server draws it. Null if this version does not know the gesture. */
export function findGesture(says: string): { hand: string; fingers: number; place: string } | null {
  const [, hand, fingers, place] =
    /^(left|right) ([1-5]) (chin|cheek|forehead|shoulder)$/.exec(says) ?? []
  return hand && fingers && place ? { hand, fingers: Number(fingers), place } : null
}
