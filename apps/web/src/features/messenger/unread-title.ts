import type { AppServices } from '../../shared/app-services.tsx'
import { setUnreadInTitle } from '../../shared/navigation/page-title.ts'

/** Shows the number of unread messages before the title of the page and on the icon of the installed application. */
export function showUnread({ connection }: AppServices): void {
  let shown = 0
  const show = () => {
    const count = connection.getSnapshot().auth?.count_new_messages ?? 0
    if (count === shown) return
    shown = count
    setUnreadInTitle(count)
    const { setAppBadge } = navigator as Partial<Navigator>
    // Browsers without an installed application refuse it.
    setAppBadge?.call(navigator, count).catch(() => {})
  }
  show()
  connection.subscribe(show)
}
