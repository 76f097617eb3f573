import { ChatCircleTextIcon } from '@phosphor-icons/react/dist/csr/ChatCircleText'
import type { NavItem } from '../../shared/feature.ts'
import { useSnapshot } from '../../shared/app-services.tsx'
import { useStore } from '../../shared/observable-store.ts'
import { unsentCount } from './unsent-count.ts'

export const navigation: readonly NavItem[] = [
  {
    to: '/messenger/',
    label: 'word.messages',
    icon: ChatCircleTextIcon,
    place: 'rail',
    useCount: useUnreadCount,
    useWaiting: () => useStore(unsentCount),
  },
]

/** The unread messages of all dialogs, as the server counts them. */
function useUnreadCount(): number {
  return useSnapshot().auth?.count_new_messages ?? 0
}
