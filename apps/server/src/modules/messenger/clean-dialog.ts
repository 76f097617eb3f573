import type { Ack, Input } from '@duet/protocol'
import type { App } from '../../core/app.ts'
import type { Member } from '../../core/viewer.ts'
import { refuse } from '../../lib/refusal.ts'
import * as store from './store.ts'

/** Empties the viewer's own view of a dialog. */
export function cleanDialog(
  app: App,
  viewer: Member,
  { dialogId }: Input<'CLEAN_DIALOG'>,
): Promise<Ack<'CLEAN_DIALOG'>> {
  return leave(app, viewer, dialogId, { hide: false })
}

/**
 * Removes a dialog from the viewer's own list. The next message brings the dialog back, without the earlier
 * messages.
 */
export function deleteDialog(
  app: App,
  viewer: Member,
  { dialogId }: Input<'DELETE_DIALOG'>,
): Promise<Ack<'DELETE_DIALOG'>> {
  return leave(app, viewer, dialogId, { hide: true })
}

function leave(
  app: App,
  viewer: Member,
  dialog_id: number,
  { hide }: { readonly hide: boolean },
): Promise<Record<string, never>> {
  return app.transact(async (tx) => {
    const view = await store.lockView(tx, { dialog_id, user_id: viewer.id })
    if (!view || view.hidden) refuse('not_found')
    await store.cleanView(tx, viewer.id, view, { hide })
    // Other tabs of the viewer learn of it from their change log.
    await tx.notify(viewer.id, 'messenger_message_removed', {
      dialog_id,
      message_ids: [],
      reason: 'cleaned',
      ...(view.last_message_id !== null && { up_to: view.last_message_id }),
      ...(hide && { deleted: true }),
    })
    return {}
  })
}
