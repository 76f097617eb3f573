import type { Ack } from '@duet/protocol'
import type { App, Tx } from '../../../core/app.ts'
import { createPort } from '../../../core/port.ts'
import type { RequestContext } from '../../../core/request-context.ts'
import type { Guest, Member, Staff } from '../../../core/viewer.ts'

export type PictureReceipt = NonNullable<Ack<'TO_COMPLAIN'>['report']>

/** A picture that a complaint calls an intimate picture of the complainer. */
export interface ComplainedPicture {
  readonly viewer: Guest | Member
  readonly context: RequestContext
  readonly media_id: string
  readonly comment: string
}

/** Files the report of the picture in the transaction of the complaint. */
export type FilePicture = (tx: Tx, complaint_id: number) => Promise<PictureReceipt>

/** The module reports, which comes later: such a picture is treated as one of the public form. */
interface PictureReports {
  /** Reads the picture and asks for a captcha, before the transaction begins. Refuses captcha_required. */
  readonly prepare: (app: App, picture: ComplainedPicture) => Promise<FilePicture>
  /** The complaint is upheld: its report of this picture is too, if it waits. Refuses second_person. */
  readonly uphold: (tx: Tx, of: PictureOfComplaint, staff: Staff) => Promise<void>
  /** Staff took the removal of this upload back: the reports that removed it let it stay. */
  readonly letStay: (tx: Tx, media_id: string) => Promise<void>
}

export interface PictureOfComplaint {
  readonly complaint_id: number
  readonly media_id: string
}

export const pictureReports = createPort<PictureReports | undefined>(
  'reports of intimate pictures',
  undefined,
)
