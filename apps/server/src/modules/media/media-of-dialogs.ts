import type { AppContext } from '../../core/app.ts'
import type { Db } from '../../core/db.ts'
import type { UserId } from '../../core/ids.ts'
import { createPort } from '../../core/port.ts'

/** Those of these uploads that a message in the viewer's own view of a dialog carries. Reads on `db` and nowhere else. */
export type MediaOfDialogs = (
  db: Db,
  viewerId: UserId,
  ids: readonly string[],
  context: AppContext,
) => Promise<ReadonlySet<string>>

export const mediaOfDialogs = createPort<MediaOfDialogs>(
  'the uploads in dialogs',
  async () => new Set(),
)
