import type { FeatureContext } from '../../shared/feature.ts'
import { dialogs } from '../../shared/dialogs.ts'

/** Shows what was decided against the user while the page was closed, once for each answer to AUTH that names it. */
export function followUnread({ connection }: FeatureContext): void {
  let shown: number | undefined
  connection.on('snapshot', ({ auth }) => {
    const id = auth?.unread_statement_id
    if (id === undefined || id === shown) return
    // In a call the dialog would lie above the picture. The list of decisions has the statement, and the next visit shows the dialog.
    if (auth?.active_session) return
    shown = id
    dialogs.open('statement', { id })
  })
}
