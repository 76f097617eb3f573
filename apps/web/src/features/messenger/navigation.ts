import { ChatCircleTextIcon } from '@phosphor-icons/react/dist/csr/ChatCircleText'
import type { NavItem } from '../../shared/feature.ts'
import { useUnreadCount } from './use-unread-count.ts'

export const navigation: readonly NavItem[] = [
  {
    to: '/messenger/',
    label: 'word.messages',
    icon: ChatCircleTextIcon,
    place: 'rail',
    useCount: useUnreadCount,
  },
]
