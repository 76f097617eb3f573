import type { UserInterlocutor } from '@duet/protocol'
import { dialogs } from '../dialogs.ts'

/** The user and the place of a complaint. */
export interface ReportInput {
  readonly person: Pick<UserInterlocutor, 'id' | 'nick'>
  readonly session_id?: number
  /** The picture, and the message that it came with: staff keep it as evidence. */
  readonly media_id?: string
  readonly message_id?: number
  /** The call runs: both sides are asked for a frame. */
  readonly in_call?: boolean
}

declare module '../dialogs.ts' {
  interface DialogContracts {
    complaint: { input: ReportInput; answer: never }
  }
}

/** Opens the dialog in which the user complains of another user. */
export function report(input: ReportInput): void {
  dialogs.open('complaint', input)
}
