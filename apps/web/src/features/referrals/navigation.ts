import { ShareNetworkIcon } from '@phosphor-icons/react/dist/csr/ShareNetwork'
import { dialogs } from '../../shared/dialogs.ts'
import type { NavItem } from '../../shared/feature.ts'

export const navigation: readonly NavItem[] = [
  {
    to: '/profile/#invite',
    open: () => dialogs.open('referral', {}),
    label: 'nav.invite',
    icon: ShareNetworkIcon,
    role: 'girl',
    place: 'more',
  },
]
