import type { AppServices } from '../../shared/app-services.tsx'

const COUNT_SHOWN_MAX = 99

/** Shows the number of unread messages before the title of the page and on the icon of the installed application. */
export function showUnread({ connection }: AppServices): void {
  let shown = 0
  const show = () => {
    const count = connection.getSnapshot().auth?.count_new_messages ?? 0
    if (count === shown) return
    shown = count
    document.title = titleWith(document.title, count)
    const { setAppBadge } = navigator as Partial<Navigator>
    // Browsers without an installed application refuse it.
    setAppBadge?.call(navigator, count).catch(() => {})
  }
  show()
  connection.subscribe(show)
}

/** "(3) Duet" */
export function titleWith(title: string, count: number): string {
  const bare = title.replace(/^\(\d+\+?\) /, '')
  if (count === 0) return bare
  return `(${count > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : count}) ${bare}`
}
