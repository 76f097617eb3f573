import { useSnapshot } from '../../shared/app-services.tsx'

/** The unread messages of all dialogs, as the server counts them. */
export function useUnreadCount(): number {
  return useSnapshot().auth?.count_new_messages ?? 0
}
